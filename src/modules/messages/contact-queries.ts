/** Messages by the person they are with. */
import type { Context } from '../../core/context.ts'
import type { MessageRow } from './queries.ts'

/** Newest first by id, through the person's chats: a handful, each read from its end. */
export const listMessagesOfContact = (
  ctx: Context,
  contactId: string,
  page: { limit: number; cursor?: string | undefined },
): Promise<MessageRow[]> =>
  ctx.tx.sql<MessageRow>(
    `select m.* from (
       select id from conversations where workspace_id = $1 and contact_id = $2
     ) chat cross join lateral (
       select * from messages where messages.workspace_id = $1 and messages.conversation_id = chat.id
         and ($3::uuid is null or messages.id < $3)
       order by messages.id desc limit $4
     ) m
     order by m.id desc limit $4`,
    [ctx.workspace.id, contactId, page.cursor ?? null, page.limit],
  )
