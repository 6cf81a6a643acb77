/** Snoozes chats, and ends snoozes (DECISIONS.md "Snooze"). */
import { DAY_MS, later } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import { invalid, refuse } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import { enqueue } from '../../../../database/sql/enqueue-jobs.ts'
import { endSnooze } from '../jobs.ts'
import { type ConversationRow, lockChangeable, updateConversationRow } from '../queries/conversations.ts'
import { AWAKE, type NewSnooze } from '../schema.ts'
import { plain, recordChanges } from './changes.ts'
import { isSameTime } from './end-snooze.ts'
import { getInboxConversation, noConversation } from './read-conversations.ts'
import { shareIfNeeded } from './share-if-needed.ts'

const MAX_AHEAD_MS = 366 * DAY_MS

/** Refuses (`invalid`) a time in the past or too far ahead. */
export function checkSnoozeTime(ctx: Pick<Context, 'now'>, until: Date | undefined, path = 'until'): void {
  if (until && (until <= ctx.now || until > later(ctx.now, MAX_AHEAD_MS)))
    throw invalid([{ path, message: 'Must be in the future, at most a year ahead.' }])
}

/**
 * Snoozes an open or pending chat until a time, until its customer writes, or until the first of both. A
 * second snooze replaces the first. Refuses `conflict` for a resolved or archived chat.
 */
export async function snoozeConversation(
  ctx: Context,
  ref: string,
  { until, untilReply }: NewSnooze,
): Promise<ConversationRow> {
  checkSnoozeTime(ctx, until)
  const { id } = await getInboxConversation(ctx, ref)
  const before = (await lockChangeable(ctx, id)) ?? noConversation()
  if (before.state === 'resolved' || before.isArchived)
    refuse('conflict', 'Only an open or pending chat can be snoozed. Reopen or unarchive it first.')
  const snoozedUntil = until ?? null
  const isRepeated =
    before.snoozedAt !== null &&
    isSameTime(before.snoozedUntil, snoozedUntil) &&
    before.snoozedUntilReply === untilReply
  if (isRepeated) return getInboxConversation(ctx, id)
  await updateConversationRow(ctx, id, {
    snoozedAt: ctx.now,
    snoozedUntil,
    snoozedUntilReply: untilReply,
    updatedAt: ctx.now,
  })
  if (until) await enqueue(ctx, endSnooze, { conversationId: id, until: until.toISOString() }, until)
  await recordChanges(ctx, id, [
    { action: 'snoozed', value: snoozedUntil?.toISOString() ?? null, valueName: null },
  ])
  touch(ctx, { conversation: id })
  await shareIfNeeded(ctx)
  return getInboxConversation(ctx, id)
}

/** Ends the snooze of a chat. The chat keeps its place in the lists; one that isn't snoozed stays as it is. */
export async function unsnoozeConversation(ctx: Context, ref: string): Promise<ConversationRow> {
  const { id } = await getInboxConversation(ctx, ref)
  const before = (await lockChangeable(ctx, id)) ?? noConversation()
  if (before.snoozedAt !== null) {
    await updateConversationRow(ctx, id, { ...AWAKE, updatedAt: ctx.now })
    await recordChanges(ctx, id, [plain('unsnoozed')])
    touch(ctx, { conversation: id })
    await shareIfNeeded(ctx)
  }
  return getInboxConversation(ctx, id)
}
