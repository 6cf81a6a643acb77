import type { Selectable } from 'kysely'
import type { Context } from '../../../../../core/context.ts'
import { uuids } from '../../../../../database/sql/binary-arrays.ts'
import type { Tables } from '../../../../../database/sql/tables.ts'
import type { MessageRow } from '../../message-rows.ts'

export type LastMessageRow = Pick<
  MessageRow,
  'conversationId' | 'id' | 'direction' | 'type' | 'content' | 'templateText' | 'status' | 'createdAt'
>

/** The last message of a direct chat of the photo network. */
export type LastDirectMessageRow = Pick<
  Selectable<Tables['socialMessages']>,
  'conversationId' | 'id' | 'type' | 'content' | 'status' | 'createdAt'
> &
  Pick<LastMessageRow, 'direction'>

/** Returns the newest message of each direct chat, with one index lookup each. */
export const listLastDirectMessages = async (
  ctx: Context,
  conversationIds: string[],
): Promise<LastDirectMessageRow[]> =>
  conversationIds.length === 0
    ? []
    : ctx.tx.sql(
        `select m.* from unnest($2::uuid[]) as w (id) cross join lateral (
           select conversation_id, id, direction, type, content, status, created_at from social_messages
           where workspace_id = $1 and conversation_id = w.id
           order by conversation_id desc, social_messages.id desc limit 1
         ) m`,
        [ctx.workspace.id, uuids(conversationIds)],
      )

/**
 * Returns the newest message of each conversation, with one index lookup each. Omits reactions, because they
 * are shown on their message.
 */
export const listLastMessages = async (ctx: Context, conversationIds: string[]): Promise<LastMessageRow[]> =>
  conversationIds.length === 0
    ? []
    : ctx.tx.sql(
        `select m.* from unnest($2::uuid[]) as w (id) cross join lateral (
           select conversation_id, id, direction, type, content, template_text, status, created_at from messages
           where workspace_id = $1 and conversation_id = w.id and type <> 'reaction'
           order by conversation_id desc, messages.id desc limit 1
         ) m`,
        [ctx.workspace.id, uuids(conversationIds)],
      )
