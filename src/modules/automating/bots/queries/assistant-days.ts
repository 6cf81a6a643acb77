/** Statements on the daily count of assistant answers. */
import type { Context } from '../../../../core/context.ts'
import { db } from '../../../../database/sql/sql.ts'

/** Counts one more answer of the day. Returns false if that exceeds `limit`. */
export async function takeDay(
  { tx, workspace }: Context,
  { day, limit }: { day: string; limit: number },
): Promise<boolean> {
  const key = [workspace.id, day]
  const [, counted] = await Promise.all([
    tx.sql(
      'insert into assistant_days (workspace_id, day, answers) values ($1, $2, 0) on conflict (workspace_id, day) do nothing',
      key,
    ),
    tx.sql(
      `update assistant_days set answers = answers + 1
       where workspace_id = $1 and day = $2 and answers < $3 returning day`,
      [...key, limit],
    ),
  ])
  return counted.length > 0
}

/** Deletes the counts of earlier days. */
export const deleteEarlierDays = ({ tx, workspace }: Context, day: string): Promise<unknown> =>
  tx.run(db.deleteFrom('assistantDays').where('workspaceId', '=', workspace.id).where('day', '<', day))
