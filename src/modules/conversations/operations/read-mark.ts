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
 * Marks a conversation as read (docs/decisions/conversations.md). Locks its row until the transaction ends,
 * so that a message that arrives meanwhile is unread. Refuses with `not_found`.
 */
export async function countAsRead(ctx: Context, id: string): Promise<ConversationRow> {
  const { id: known, unreadCount } = await getConversation(ctx, id)
  if (!(await lockConversationForRead(ctx, known))) return noConversation()
  // A repeated request changes nothing visible.
  if (unreadCount > 0) touch(ctx, { conversation: known })
  await updateConversationRow(ctx, known, { unreadCount: 0, isUnread: false, lastReadAt: ctx.now })
  return getConversation(ctx, known)
}

/** Stores the last message that was reported to the operator as read. */
export const keepReadMark = (ctx: Context, id: string, messageId: string): Promise<boolean> =>
  updateConversationRow(ctx, id, { readMessageId: messageId })

/** Marks a conversation as unread, as a reminder for the team. Refuses with `not_found`. */
export async function markUnread(ctx: Context, id: string): Promise<ConversationRow> {
  const { id: known } = await getConversation(ctx, id)
  touch(ctx, { conversation: known })
  return (await markUnreadRow(ctx, known)) ? getConversation(ctx, known) : noConversation()
}
