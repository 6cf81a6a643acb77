import type { Context } from '../../../../../core/context.ts'
import type { CursorQuery } from '../../../../../core/paging.ts'
import { conversationsOfContact } from '../../../conversations/operations/find-contact-conversations.ts'
import type { MessageRow } from '../../message-rows.ts'
import { listMessageRows } from '../queries/message-lists.ts'

/**
 * Returns a contact's messages in all its chats before `cursor` (an id of any kind), newest first, with one
 * row more than the limit.
 */
export const messagesOfContact = async (
  ctx: Context,
  contactId: string,
  page: CursorQuery,
): Promise<MessageRow[]> =>
  listMessageRows(ctx, { ...page, conversationIds: await conversationsOfContact(ctx, contactId) })
