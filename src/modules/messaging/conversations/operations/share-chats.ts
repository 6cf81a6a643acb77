/** Gives the waiting chats of teams to their members in turn (DECISIONS.md "Teams"). */
import type { Context } from '../../../../core/context.ts'
import { touch } from '../../../../core/event.ts'
import { notifyMembers } from '../../../platform/notifications/operations.ts'
import {
  listTeams as listCurrentMembers,
  listFormerMemberIds,
} from '../../../platform/workspaces/operations/workspace-members.ts'
import { findContactsOf } from '../../contacts/operations/find-contact.ts'
import { nameOf } from '../../contacts/schema.ts'
import type { ConversationRow } from '../queries/conversations.ts'
import { assignRows, countOpenChats, listQueued, lockWaiting, unassignRows } from '../queries/team-chats.ts'
import { listSharingTeams, listTeamMembers, lockTeams, saveTurns } from '../queries/teams.ts'
import { plain, recordChangesOf } from './changes.ts'
import { freePlaces, overloaded, shareOut, type Taker, type Turn } from './share-out.ts'

/** The most chats of a team that one transaction gives. */
const BATCH = 100

/**
 * Gives waiting chats of the workspace's teams to available members below their team's capacity, in one
 * transaction and one at a time for each workspace. `reopened`: chats that customers reopened; one whose member
 * can't get chats of its team now gets another member. Returns whether more chats may be given.
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
  const capacities = new Map(teams.map(({ id, capacity }) => [id, capacity]))
  const memberIds = [...new Set(takers.map(({ memberId }) => memberId))]
  const highestCapacity = Math.max(0, ...teams.map(({ capacity }) => capacity ?? 0))
  const loads =
    highestCapacity === 0
      ? new Map<string, number>()
      : await countOpenChats(ctx, memberIds, highestCapacity + reopened.length + 1)
  const givers = [...freePlaces(takers, capacities, loads)].flatMap(([teamId, free]) =>
    free === 0 ? [] : [{ teamId, limit: Math.min(free ?? BATCH, BATCH) }],
  )
  const queued = givers.length === 0 ? [] : await listQueued(ctx, givers, former)
  const queuedIds = queued.map(({ id }) => id)
  if (queuedIds.length + reopened.length === 0) return false
  const locked = (await lockWaiting(ctx, { queuedIds, reopened, former })).filter(isOfTeam)
  const isWaiting = ({ assignedAgentId }: ConversationRow): boolean =>
    assignedAgentId === null || former.includes(assignedAgentId)
  const kept = locked.filter((chat) => !isWaiting(chat) && capacities.has(chat.teamId))
  const released = overloaded(kept, takers, capacities, loads)
  await release(ctx, released)
  const chats = locked.filter((chat) => isWaiting(chat) || released.includes(chat.id))
  const turns = shareOut(chats, takers, capacities, loads)
  await give(ctx, { turns, chats, names })
  // A chat that changed meanwhile left its place free, and a full batch may have left chats behind.
  const lockedIds = new Set(locked.map(({ id }) => id))
  return queuedIds.some((id) => !lockedIds.has(id)) || turns.length >= BATCH
}

const isOfTeam = (row: ConversationRow): row is ConversationRow & { teamId: string } => row.teamId !== null

/** Unassigns chats, which are then in the queues of their teams. */
async function release(ctx: Context, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  await unassignRows(ctx, ids)
  await recordChangesOf(
    ctx,
    ids.map((id) => ({ conversationId: id, change: plain('unassigned') })),
  )
  touch(ctx, { conversation: ids })
}

type Given = { turns: Turn[]; chats: ConversationRow[]; names: Map<string, string> }

async function give(ctx: Context, { turns, chats, names }: Given): Promise<void> {
  if (turns.length === 0) return
  await assignRows(ctx, turns)
  // The last turn of a member in a team is the greatest.
  await saveTurns(ctx, [...new Map(turns.map((turn) => [`${turn.teamId} ${turn.memberId}`, turn])).values()])
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
