import type { Context, Unit } from '../../../core/context.ts'
import { newId } from '../../../core/ids.ts'
import {
  type ConversationRow,
  insertConversations,
  listConversationsOfForUpdate,
  type OurActivity,
  touchAnswered,
} from '../queries/conversations.ts'
import { newConversations, type Pair, partiesKey } from './parties.ts'

/**
 * Starts the conversations of sends that have none, when nothing else can refuse them any more
 * (spec 4.2). One answer an item, in order; undefined where the contact was erased meanwhile.
 */
export async function createConversationsForSend(
  unit: Unit,
  items: Pair[],
): Promise<(ConversationRow | undefined)[]> {
  const fresh = newConversations(items)
  await insertConversations(unit.tx, fresh)
  const rows = new Map(
    (await listConversationsOfForUpdate(unit.tx, fresh)).map((row) => [partiesKey(row), row]),
  )
  return items.map((item) => rows.get(partiesKey(item)))
}

/** A message of ours on its way into a conversation; `at` is in the workspace's time. `byPerson`: a member wrote it. */
export type OutboundNote = { ctx: Context; conversationId: string; at: Date; byPerson?: boolean }

/**
 * Moves the conversations of outgoing messages to the top of the list; their customers have an answer. Each is held until the
 * transaction ends; the transaction fails when one was erased meanwhile, so that its message is not left
 * behind: what runs again finds the contact gone.
 */
export async function noteOutbound(unit: Unit, notes: OutboundNote[]): Promise<void> {
  const latest = new Map<string, OurActivity>()
  for (const { ctx, conversationId, at, byPerson = false } of notes)
    latest.set(conversationId, {
      workspaceId: ctx.workspace.id,
      conversationId,
      activityId: newId(),
      at,
      byPerson: byPerson || (latest.get(conversationId)?.byPerson ?? false),
    })
  // In one order for everybody, so that two batches do not wait for each other.
  const inOrder = [...latest.values()].sort((a, b) => (a.conversationId < b.conversationId ? -1 : 1))
  await touchAnswered(unit.tx, inOrder)
}
