import type { Context } from '../../../../../core/context.ts'
import { uuids } from '../../../../../database/sql/binary-arrays.ts'
import type { MessageRow } from '../../message-rows.ts'

export type LastMessageRow = Pick<
  MessageRow,
  'conversationId' | 'id' | 'direction' | 'type' | 'content' | 'templateText' | 'status' | 'createdAt'
>

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
