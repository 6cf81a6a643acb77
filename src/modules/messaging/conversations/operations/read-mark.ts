import type { Context } from '../../../../core/context.ts'
import { touch } from '../../../../core/event.ts'
import {
  type ConversationRow,
  lockConversationForRead,
  markUnreadRow,
  updateConversationRow,
} from '../queries/conversations.ts'
import { getInboxConversation, noConversation } from './read-conversations.ts'

/**
 * Marks a conversation as read (DECISIONS.md). Locks its row until the transaction ends,
 * so that a message that arrives meanwhile is unread. Refuses with `not_found`.
 */
export async function countAsRead(ctx: Context, id: string): Promise<ConversationRow> {
  const { id: ownId, unreadCount } = await getInboxConversation(ctx, id)
  if (!(await lockConversationForRead(ctx, ownId))) return noConversation()
  // A repeated request changes nothing visible.
  if (unreadCount > 0) touch(ctx, { conversation: ownId })
  await updateConversationRow(ctx, ownId, { unreadCount: 0, isUnread: false, lastReadAt: ctx.now })
  return getInboxConversation(ctx, ownId)
}

/** Stores the last message that was reported to the operator as read. */
export const keepReadMark = (ctx: Context, id: string, messageId: string): Promise<boolean> =>
  updateConversationRow(ctx, id, { readMessageId: messageId })

/** Marks a conversation as unread, as a reminder for the team. Refuses with `not_found`. */
export async function markUnread(ctx: Context, id: string): Promise<ConversationRow> {
  const { id: ownId } = await getInboxConversation(ctx, id)
  touch(ctx, { conversation: ownId })
  return (await markUnreadRow(ctx, ownId)) ? getInboxConversation(ctx, ownId) : noConversation()
}
