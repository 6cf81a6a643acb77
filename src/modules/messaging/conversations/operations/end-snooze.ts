import type { Context } from '../../../../core/context.ts'
import { touch } from '../../../../core/event.ts'
import { newId } from '../../../../core/ids.ts'
import { lockChangeable, moveToTop, updateConversationRow } from '../queries/conversations.ts'
import { AWAKE } from '../schema.ts'
import { plain, recordChanges } from './changes.ts'
import { findInboxConversation } from './read-conversations.ts'

export const isSameTime = (a: Date | null, b: Date | null): boolean => a?.getTime() === b?.getTime()

/**
 * Ends a snooze at its time: the chat is open, unread, and at the top of the list. Does nothing if the snooze
 * was ended or replaced meanwhile.
 */
export async function endSnoozeAtItsTime(ctx: Context, ref: string, until: Date): Promise<void> {
  const found = await findInboxConversation(ctx, ref)
  const before = found && (await lockChangeable(ctx, found.id))
  if (!found || !before || before.snoozedAt === null || !isSameTime(before.snoozedUntil, until)) return
  // An earlier version that runs beside this one resolves and archives chats without ending their snooze.
  if (before.state === 'resolved' || before.isArchived) {
    await updateConversationRow(ctx, found.id, AWAKE)
    return
  }
  await updateConversationRow(ctx, found.id, {
    ...AWAKE,
    state: 'open',
    unreadCount: Math.max(before.unreadCount, 1),
    isUnread: true,
    snoozeEndedAt: ctx.now,
    updatedAt: ctx.now,
  })
  await moveToTop(ctx, found.id, newId())
  await recordChanges(ctx, found.id, [plain('unsnoozed')])
  touch(ctx, { conversation: found.id })
}
