/** Statements on the activity log. */
import type { Insertable, Selectable } from 'kysely'
import type { Context, Query, Tx } from '../../../../core/context.ts'
import type { CursorQuery } from '../../../../core/paging.ts'
import { db } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'

type ActivityRow = Selectable<Tables['activityLog']>

export const insertActivityRow = (tx: Tx, row: Insertable<Tables['activityLog']>): Promise<number> =>
  tx.run(db.insertInto('activityLog').values(row))

type ActivityListing = CursorQuery & { kinds?: readonly string[] | undefined; actorId?: string | undefined }

/** Lists entries newest first, with one row more than the limit. */
export const listActivityRows = (ctx: Context, listing: ActivityListing): Promise<ActivityRow[]> => {
  const { kinds, actorId, cursor, limit } = listing
  return ctx.tx.all(
    db
      .selectFrom('activityLog')
      .selectAll()
      .where('workspaceId', '=', ctx.workspace.id)
      .$if(kinds !== undefined, (query) => query.where('kind', 'in', kinds!))
      .$if(actorId !== undefined, (query) => query.where('actorId', '=', actorId!))
      .$if(cursor !== undefined, (query) => query.where('id', '<', cursor!))
      .orderBy('id', 'desc')
      .limit(limit + 1),
  )
}

/** Deletes up to `max` entries older than `before` and returns how many. */
export const deleteOldActivity = async (query: Query, before: Date, max: number): Promise<number> => {
  const [row] = await query<{ count: number }>(
    `with gone as (
       delete from activity_log where (workspace_id, id) in (
         select workspace_id, id from activity_log where created_at < $1 order by created_at limit $2) returning 1
     ) select count(*) as count from gone`,
    [before, max],
  )
  return row?.count ?? 0
}
