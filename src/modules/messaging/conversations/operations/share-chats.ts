/** Gives the waiting chats of teams to their members in turn (DECISIONS.md "Teams"). */
import type { Context } from '../../../../core/context.ts'
import { touch } from '../../../../core/event.ts'
import { notifyMembers } from '../../../platform/notifications/operations.ts'
import {
  listFormerMemberIds,
  listTeams as listCurrentMembers,
} from '../../../platform/workspaces/operations/workspace-members.ts'
import { findContactsOf } from '../../contacts/operations/find-contact.ts'
import { nameOf } from '../../contacts/schema.ts'
import type { ConversationRow } from '../queries/conversations.ts'
import {
  assignRows,
  countOpenChats,
  listQueued,
  lockQueued,
  releaseReopened,
} from '../queries/team-chats.ts'
import { listSharingTeams, listTeamMembers, lockTeams, saveTurns } from '../queries/teams.ts'
import { plain, recordChangesOf } from './changes.ts'
import { freePlaces, shareOut, type Taker, type Turn } from './share-out.ts'

/** The most chats of a team that one transaction gives. */
const BATCH = 100

/**
 * Gives waiting chats of the workspace's teams to available members below their team's capacity, in one
 * transaction and one at a time for each workspace. `reopened`: chats that customers reopened; one whose member
 * is away or left the team gets another member. Returns whether more chats may be given.
 */
export async function giveWaitingChats(ctx: Context, reopened: string[]): Promise<boolean> {
  await lockTeams(ctx)
  const teams = await listSharingTeams(ctx)
  if (teams.length === 0) return false
  const [current, former, members] = await Promise.all([
    listCurrentMembers(ctx.tx, [ctx.workspace.id]),
    listFormerMemberIds(ctx.tx, ctx.workspace.id),
    listTeamMembers(
      ctx,
      teams.map(({ id }) => id),
    ),
  ])
  const names = new Map(current.map(({ id, name }) => [id, name]))
  const takers = members
    .filter(({ memberId, away }) => !away && names.has(memberId))
    .map((row): Taker => ({ teamId: row.teamId, memberId: row.memberId, turn: Number(row.turn) }))
  await release(ctx, reopened, { teamIds: teams.map(({ id }) => id), takers })
  const capacities = new Map(teams.map(({ id, capacity }) => [id, capacity]))
  const memberIds = [...new Set(takers.map(({ memberId }) => memberId))]
  const most = Math.max(0, ...teams.map(({ capacity }) => capacity ?? 0))
  const loads = most === 0 ? new Map<string, number>() : await countOpenChats(ctx, memberIds, most)
  const givers = [...freePlaces(takers, capacities, loads)].flatMap(([teamId, free]) =>
    free === 0 ? [] : [{ teamId, limit: Math.min(free ?? BATCH, BATCH) }],
  )
  if (givers.length === 0) return false
  const queued = await listQueued(ctx, givers, former)
  if (queued.length === 0) return false
  const ids = queued.map(({ id }) => id)
  const chats = (await lockQueued(ctx, ids, former)).filter(isOfTeam)
  const turns = shareOut(chats, takers, capacities, loads)
  await give(ctx, { turns, chats, names })
  // A chat that changed meanwhile left its place free, and a full batch may have left chats behind.
  return chats.length < ids.length || turns.length >= BATCH
}

const isOfTeam = (row: ConversationRow): row is ConversationRow & { teamId: string } => row.teamId !== null

/** Takes reopened chats from members who can't get chats of their team. */
async function release(
  ctx: Context,
  reopened: string[],
  { teamIds, takers }: { teamIds: string[]; takers: Taker[] },
): Promise<void> {
  if (reopened.length === 0) return
  const released = await releaseReopened(ctx, reopened, { teamIds, takers })
  if (released.length === 0) return
  await recordChangesOf(
    ctx,
    released.map(({ id }) => ({ conversationId: id, change: plain('unassigned') })),
  )
  touch(ctx, { conversation: released.map(({ id }) => id) })
}

type Given = { turns: Turn[]; chats: ConversationRow[]; names: Map<string, string> }

async function give(ctx: Context, { turns, chats, names }: Given): Promise<void> {
  if (turns.length === 0) return
  await assignRows(ctx, turns)
  // The last turn of a member in a team is the greatest.
  await saveTurns(ctx, [
    ...new Map(turns.map((turn) => [`${turn.teamId} ${turn.memberId}`, turn])).values(),
  ])
  await recordChangesOf(
    ctx,
    turns.map(({ id, memberId }) => ({
      conversationId: id,
      change: { action: 'assigned', value: memberId, valueName: names.get(memberId) ?? null },
    })),
  )
  touch(ctx, { conversation: turns.map(({ id }) => id) })
  const contacts = await findContactsOf(ctx, chats)
  const chatOf = new Map(chats.map((chat) => [chat.id, chat]))
  const notices = turns.flatMap(({ id, memberId }) => {
    const { contactId } = chatOf.get(id)!
    const contact = contacts.get(contactId)
    const title = contact && (nameOf(contact) ?? contact.phone)
    return title === undefined
      ? []
      : [{ kind: 'conversation_assigned' as const, memberId, title, subjectId: id, contactId }]
  })
  await notifyMembers(ctx, notices)
}
