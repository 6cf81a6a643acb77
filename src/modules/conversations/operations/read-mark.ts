import type { Context } from '../../../core/context.ts'
import { touch } from '../../../core/event.ts'
import {
  type ConversationRow,
  lockConversationForRead,
  markUnreadRow,
  updateConversationRow,
} from '../queries/conversations.ts'
import { getConversation, noConversation } from './read-conversations.ts'

/**
 * Counts a conversation as read from now on (docs/decisions/conversations.md). Its row stays locked
 * until the transaction ends: a message that arrives meanwhile is unread. Refuses with `not_found`.
 */
export async function countAsRead(ctx: Context, id: string): Promise<ConversationRow> {
  const { id: known, unreadCount } = await getConversation(ctx, id)
  if (!(await lockConversationForRead(ctx, known))) return noConversation()
  // Who asks again changes nothing that is shown.
  if (unreadCount > 0) touch(ctx, { conversation: known })
  await updateConversationRow(ctx, known, { unreadCount: 0, isUnread: false, lastReadAt: ctx.now })
  return getConversation(ctx, known)
}

/** Keeps which message the operator was last notified to be read. */
export const keepReadMark = (ctx: Context, id: string, messageId: string): Promise<boolean> =>
  updateConversationRow(ctx, id, { readMessageId: messageId })

/** Marks a conversation as unread, so that somebody comes back to it. Refuses with `not_found`. */
export async function markUnread(ctx: Context, id: string): Promise<ConversationRow> {
  const { id: known } = await getConversation(ctx, id)
  touch(ctx, { conversation: known })
  return (await markUnreadRow(ctx, known)) ? getConversation(ctx, known) : noConversation()
}
