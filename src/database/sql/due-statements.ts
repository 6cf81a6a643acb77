/** Conditions and statements about the due times of rows (core/due.ts). */
import type { Query } from '../../core/context.ts'
import type { Alignment } from '../../core/work.ts'

/** Returns the condition for a due row: `runAt` and `offset` name its columns, the rest names parameters. */
export const isDue = (
  runAt: string,
  offset: string,
  { now, by, offsetMs }: { now: string; by: string; offsetMs: string },
): string =>
  `${runAt} <= ${by}::timestamptz and (${offsetMs}::bigint is null or ${runAt} + coalesce(${offset}, 0) * interval '1 millisecond'
   <= ${now}::timestamptz + ${offsetMs}::bigint * interval '1 millisecond')`

/** Rows of a table that wait to fall due: `waiting` is a condition on them (`t`). */
type WaitingRows = { table: string; runAt?: string; waiting: string }

/**
 * Runs the statements of `WorkSource.align`. A row that another transaction changes meanwhile is checked in its changed form,
 * so no row is moved twice.
 */
export async function alignRows(
  query: Query,
  { table, runAt = 'run_at', waiting }: WaitingRows,
  workspaceId: string,
  { offsetMs, unlessDueAt }: Alignment,
): Promise<void> {
  const align = `update ${table} t set run_offset_ms = nullif($2::bigint, 0),
     ${runAt} = after_ms(t.${runAt}, coalesce(t.run_offset_ms, 0) - $2::bigint)`
  if (unlessDueAt) {
    await query(
      `${align} where t.workspace_id = $1 and ${waiting} and coalesce(t.run_offset_ms, 0) <> $2
         and (t.run_offset_ms is not null or t.${runAt} > $3)`,
      [workspaceId, offsetMs, unlessDueAt],
    )
    return
  }
  // Reads the few rows with another offset, from both sides of the right one in the index. The outer conditions use no index,
  // so that no plan reads all rows of the workspace; they are needed because rows of two partitions can share a ctid. `order
  // by` keeps the planner on this index before the table has grown.
  const rowsAt = (operator: '<' | '>') =>
    `(select t.ctid from ${table} t
      where t.workspace_id = $1 and ${waiting} and t.run_offset_ms is not null and t.run_offset_ms ${operator} $2
      order by t.run_offset_ms)`
  await query(
    `${align} where t.ctid = any (array(${rowsAt('<')} union all ${rowsAt('>')}))
       and t.workspace_id is not distinct from $1::uuid and coalesce(t.run_offset_ms, $2) <> $2`,
    [workspaceId, offsetMs],
  )
}
