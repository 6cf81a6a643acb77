import type { Context } from '../../../../../core/context.ts'
import { db } from '../../../../../database/sql/sql.ts'
import type { MessageRow } from '../../message-rows.ts'

export const findMessageRow = (
  ctx: Context,
  column: 'id' | 'chanmid',
  value: string,
): Promise<MessageRow | undefined> =>
  ctx.tx.first<MessageRow>(
    db
      .selectFrom('messages')
      .selectAll()
      .where('workspaceId', '=', ctx.workspace.id)
      .where(column, '=', value) as never,
  )

/** Returns the customer's latest message in a conversation. */
export const findLatestInbound = (
  ctx: Context,
  conversationId: string,
): Promise<{ id: string; chanmid: string } | undefined> =>
  ctx.tx.first<{ id: string; chanmid: string }>(
    db
      .selectFrom('messages')
      .select(['id', 'chanmid'])
      .where('workspaceId', '=', ctx.workspace.id)
      .where('conversationId', '=', conversationId)
      .where('direction', '=', 'inbound')
      .where('chanmid', 'is not', null)
      .orderBy('id', 'desc')
      .limit(1) as never,
  )
