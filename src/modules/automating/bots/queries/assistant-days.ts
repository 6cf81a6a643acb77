/** Statements on the daily count of assistant answers. */
import type { Context } from '../../../../core/context.ts'
import { db } from '../../../../database/sql/sql.ts'

/** Counts one more answer of the day. Returns false if that exceeds `limit`. */
export const takeDay = async (
  { tx, workspace }: Context,
  { day, limit }: { day: string; limit: number },
): Promise<boolean> =>
  (
    await tx.sql(
      `insert into assistant_days as d (workspace_id, day, answers) select $1, $2, 1 where $3::int4 > 0
       on conflict (workspace_id, day) do update set answers = d.answers + 1 where d.answers < $3 returning day`,
      [workspace.id, day, limit],
    )
  ).length > 0

/** Deletes the counts of earlier days. */
export const deleteEarlierDays = ({ tx, workspace }: Context, day: string): Promise<unknown> =>
  tx.run(db.deleteFrom('assistantDays').where('workspaceId', '=', workspace.id).where('day', '<', day))
