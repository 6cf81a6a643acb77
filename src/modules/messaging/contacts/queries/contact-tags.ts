/** Statements on the changes of contacts' tags. */
import type { Selectable } from 'kysely'
import type { Context, Tx } from '../../../../core/context.ts'
import type { SourceKind } from '../../../../core/source.ts'
import { instants, texts, uuids } from '../../../../database/sql/binary-arrays.ts'
import { db, plainList } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'

export type TagChangeRow = Omit<Selectable<Tables['contactTagChanges']>, 'sourceKind'> & {
  sourceKind: SourceKind | null
}

export const insertTagChanges = (tx: Tx, rows: TagChangeRow[]): Promise<unknown> =>
  tx.sql(
    `insert into contact_tag_changes (workspace_id, id, contact_id, tag, added, source_kind, source_id, source_name, created_at)
     select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::boolean[], $6::text[], $7::uuid[], $8::text[],
                          $9::timestamptz[])`,
    [
      uuids(rows.map((row) => row.workspaceId)),
      uuids(rows.map((row) => row.id)),
      uuids(rows.map((row) => row.contactId)),
      texts(rows.map((row) => row.tag)),
      plainList(rows.map((row) => row.added)),
      texts(rows.map((row) => row.sourceKind)),
      uuids(rows.map((row) => row.sourceId)),
      texts(rows.map((row) => row.sourceName)),
      instants(rows.map((row) => row.createdAt)),
    ],
  )

/** Returns at most `limit` + 1 changes of a contact's tags, newest first. */
export const listTagChangeRows = (
  ctx: Context,
  contactId: string,
  page: { limit: number; cursor?: string | undefined },
): Promise<TagChangeRow[]> =>
  ctx.tx.all(
    db
      .selectFrom('contactTagChanges')
      .selectAll()
      .where('workspaceId', '=', ctx.workspace.id)
      .where('contactId', '=', contactId)
      .$if(page.cursor !== undefined, (query) => query.where('id', '<', page.cursor!))
      .orderBy('id', 'desc')
      .limit(page.limit + 1),
  ) as Promise<TagChangeRow[]>
