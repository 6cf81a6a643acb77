import type { Context } from '../../../core/context.ts'
import { listMessagesOfContact } from '../contact-queries.ts'
import type { MessageRow } from '../queries.ts'

/** A contact's messages in all its chats before `cursor` (an id of any kind), newest first. */
export const messagesOfContact = (
  ctx: Context,
  contactId: string,
  page: { limit: number; cursor?: string | undefined },
): Promise<MessageRow[]> => listMessagesOfContact(ctx, contactId, page)
