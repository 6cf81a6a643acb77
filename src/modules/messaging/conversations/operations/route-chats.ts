/** Puts chats that customers start or reopen into teams (DECISIONS.md "Teams"). */
import type { Context, Unit } from '../../../../core/context.ts'
import { enqueueAll } from '../../../../database/sql/enqueue-jobs.ts'
import { shareChats } from '../jobs.ts'
import type { ConversationRow } from '../queries/conversations.ts'
import { setTeams } from '../queries/team-chats.ts'
import { teamsOfNumbers } from './find-teams.ts'

/** A chat that a customer started, reopened, or woke from a snooze. */
export type OpenedChat = { ctx: Context; row: ConversationRow; reopens: boolean }

/**
 * Gives chats without a team the team of their number, in the transaction of the customer's message, and then gives the chats
 * of teams to members. The transaction has locked the chats.
 */
export async function routeChats(unit: Unit, chats: OpenedChat[]): Promise<void> {
  const unrouted = chats.filter(({ row }) => row.teamId === null && row.channel === 'chat')
  const teams = await teamsOfNumbers(
    unit,
    unrouted.map(({ row }) => row),
  )
  const routed = unrouted.flatMap(({ row }) => {
    const teamId = teams.get(row.phoneNumberId)
    return teamId === undefined ? [] : [{ workspaceId: row.workspaceId, id: row.id, teamId }]
  })
  if (routed.length > 0) await setTeams(unit.tx, routed)
  const routedIds = new Set(routed.map(({ id }) => id))
  const ofTeams = chats.filter(({ row }) => row.teamId !== null || routedIds.has(row.id))
  await enqueueAll(
    shareChats,
    [...Map.groupBy(ofTeams, ({ ctx }) => ctx.workspace.id).values()].map((own) => ({
      ctx: own[0]!.ctx,
      payload: { reopened: own.filter(({ reopens }) => reopens).map(({ row }) => row.id) },
    })),
  )
}
