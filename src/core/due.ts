/**
 * When rows fall due (docs/decisions/sandbox-clock.md). `run_at` is the due time in real time, computed with the clock offset
 * in `run_offset_ms` (null: 0, or due immediately). While a sandbox's clock moves, rows keep their old offset, so that no step
 * rewrites them; both columns decide whether a row is due.
 */
import { later } from './clock.ts'
import type { Query } from './context.ts'
import type { Alignment } from './work.ts'

/** A sandbox's clock while it moves: its current offset, and how far that is ahead of the offset of waiting rows. */
export type MovingClock = { offsetMs: number; aheadMs: number }

/** The parameters of `isDue`: rows due after `by` are not read; with `offsetMs` null, `by` alone decides. */
export type DueMoment = { now: Date; by: Date; offsetMs: number | null }

/** Returns the parameters for `now` (real time), for the workspace whose clock is `moving` or for any. */
export const dueAt = (now: Date, moving?: MovingClock): DueMoment => ({
  now,
  by: later(now, moving?.aheadMs ?? 0),
  offsetMs: moving?.offsetMs ?? null,
})

/** Returns the condition for a due row: `runAt` and `offset` name its columns, the rest names parameters. */
export const isDue = (
  runAt: string,
  offset: string,
  { now, by, offsetMs }: { now: string; by: string; offsetMs: string },
): string =>
  `${runAt} <= ${by}::timestamptz and (${offsetMs}::bigint is null or ${runAt} + coalesce(${offset}, 0) * interval '1 millisecond'
   <= ${now}::timestamptz + ${offsetMs}::bigint * interval '1 millisecond')`

/** Whether a row that was read is due. */
export const isRowDue = (
  { runAt, runOffsetMs }: { runAt: Date; runOffsetMs?: number | null },
  { now, by, offsetMs }: DueMoment,
): boolean =>
  runAt <= by && (offsetMs === null || runAt.getTime() + (runOffsetMs ?? 0) <= now.getTime() + offsetMs)

/** Returns the clock offset to store with a row's due time. */
export const runOffsetOf = (workspace: { clockOffsetMs: number }): number | null =>
  workspace.clockOffsetMs || null

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
     ${runAt} = t.${runAt} + (coalesce(t.run_offset_ms, 0) - $2::bigint) * interval '1 millisecond'`
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
