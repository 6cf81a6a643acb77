import type { NotNull } from 'kysely'
import type { Context } from '../../../../../core/context.ts'
import { db } from '../../../../../database/sql/sql.ts'
import type { MessageRow } from '../../message-rows.ts'

export const findMessageRow = (
  ctx: Context,
  column: 'id' | 'chanmid',
  value: string,
): Promise<MessageRow | undefined> =>
  ctx.tx.first(
    db
      .selectFrom('messages')
      .selectAll()
      .where('workspaceId', '=', ctx.workspace.id)
      .where(column, '=', value),
  ) as Promise<MessageRow | undefined>

/** Returns the customer's latest message in a conversation that passed through Parley. */
export const findLatestInbound = (
  ctx: Context,
  conversationId: string,
): Promise<(Pick<MessageRow, 'id' | 'chanmid'> & { chanmid: string }) | undefined> =>
  ctx.tx.first(
    db
      .selectFrom('messages')
      .select(['id', 'chanmid'])
      .where('workspaceId', '=', ctx.workspace.id)
      .where('conversationId', '=', conversationId)
      .where('direction', '=', 'inbound')
      .where('chanmid', 'is not', null)
      .where('importedFrom', 'is', null)
      .orderBy('id', 'desc')
      .limit(1)
      .$narrowType<{ chanmid: NotNull }>(),
  )
