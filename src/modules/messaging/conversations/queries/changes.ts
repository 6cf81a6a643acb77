/** Statements on the changes of chats that threads show. */
import type { Selectable } from 'kysely'
import type { Context, Tx } from '../../../../core/context.ts'
import type { CursorQuery } from '../../../../core/paging.ts'
import type { SourceKind } from '../../../../core/source.ts'
import { instants, texts, uuids } from '../../../../database/sql/binary-arrays.ts'
import type { Tables } from '../../../../database/sql/tables.ts'
import type { ChangeAction } from '../change-schema.ts'
import { listRowsOfChat } from './rows-of-chat.ts'

export type ChangeRow = Omit<Selectable<Tables['conversationChanges']>, 'action' | 'sourceKind'> & {
  action: ChangeAction
  sourceKind: SourceKind | null
}

/** Inserts changes, of one chat or of many. */
export const insertChanges = (tx: Tx, rows: ChangeRow[]): Promise<unknown> =>
  tx.sql(
    `insert into conversation_changes (workspace_id, id, conversation_id, action, value, value_name, source_kind, source_id,
                                       source_name, created_at)
     select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::uuid[],
                          $9::text[], $10::timestamptz[])`,
    [
      uuids(rows.map((row) => row.workspaceId)),
      uuids(rows.map((row) => row.id)),
      uuids(rows.map((row) => row.conversationId)),
      texts(rows.map((row) => row.action)),
      texts(rows.map((row) => row.value)),
      texts(rows.map((row) => row.valueName)),
      texts(rows.map((row) => row.sourceKind)),
      uuids(rows.map((row) => row.sourceId)),
      texts(rows.map((row) => row.sourceName)),
      instants(rows.map((row) => row.createdAt)),
    ],
  )

/** Returns at most `limit` + 1 changes of a chat, newest first. */
export const listChangeRows = (
  ctx: Context,
  conversationId: string,
  page: CursorQuery,
): Promise<ChangeRow[]> =>
  listRowsOfChat(ctx, 'conversationChanges', conversationId, page) as Promise<ChangeRow[]>
