import type { Context, Unit } from '../../../../core/context.ts'
import { newId } from '../../../../core/ids.ts'
import {
  type ConversationRow,
  insertConversations,
  listConversationsOfForUpdate,
  type OurActivity,
  touchAnswered,
} from '../queries/conversations.ts'
import { newConversations, type Pair, partiesKey } from './parties.ts'

/**
 * Starts missing conversations of sends, after every other check (spec 4.2). Returns one result per item, in
 * order; undefined if the contact was erased meanwhile.
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

/** An outbound message in a conversation. `at` is in the workspace's time. `byPerson`: a member wrote it. */
export type OutboundNote = { ctx: Context; conversationId: string; at: Date; byPerson?: boolean }

/**
 * Moves the conversations of outbound messages to the top of the list and ends their waiting. Locks each
 * until the transaction ends. The transaction fails if one was erased meanwhile, so that no message is left
 * without a conversation. The retry then finds no contact.
 */
export async function recordOutbound(unit: Unit, notes: OutboundNote[]): Promise<void> {
  const latest = new Map<string, OurActivity>()
  for (const { ctx, conversationId, at, byPerson = false } of notes)
    latest.set(conversationId, {
      workspaceId: ctx.workspace.id,
      conversationId,
      activityId: newId(),
      at,
      byPerson: byPerson || (latest.get(conversationId)?.byPerson ?? false),
    })
  // Every batch uses the same order, so that two batches don't deadlock.
  const inOrder = [...latest.values()].sort((a, b) => (a.conversationId < b.conversationId ? -1 : 1))
  await touchAnswered(unit.tx, inOrder)
}
