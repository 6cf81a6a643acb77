/** The page of a chat's notes, or of its changes. */
import type { Selectable } from 'kysely'
import type { Context } from '../../../../core/context.ts'
import type { CursorQuery } from '../../../../core/paging.ts'
import { db } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'

/** Tables whose rows belong to a chat, each with an index of a chat's rows by id. */
type OfChat = 'conversationNotes' | 'conversationChanges'

/** Returns at most `limit` + 1 rows of a chat, newest first. */
export const listRowsOfChat = <Table extends OfChat>(
  ctx: Context,
  table: Table,
  conversationId: string,
  { limit, cursor }: CursorQuery,
): Promise<Selectable<Tables[Table]>[]> =>
  ctx.tx.all(
    db
      .selectFrom(table as 'conversationNotes')
      .selectAll()
      .where('workspaceId', '=', ctx.workspace.id)
      .where('conversationId', '=', conversationId)
      .$if(cursor !== undefined, (query) => query.where('id', '<', cursor!))
      .orderBy('id', 'desc')
      .limit(limit + 1),
  ) as Promise<Selectable<Tables[OfChat]>[]> as Promise<Selectable<Tables[Table]>[]>
