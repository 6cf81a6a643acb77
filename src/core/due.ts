/**
 * When rows fall due (docs/decisions/sandbox-clock.md). A row says when in real time (`run_at`), by the offset of its
 * workspace's clock that `run_offset_ms` says; null: 0, or that it is due at once. While a sandbox's clock is moved its rows
 * keep the offset from before, so that nothing is rewritten at each step: both decide what is due.
 */
import { later } from './clock.ts'
import type { Query } from './context.ts'
import type { Alignment } from './work.ts'

/** A sandbox's clock on its way: its offset by now, and how far that is past the one that waiting rows go by. */
export type MovingClock = { offsetMs: number; aheadMs: number }

/** The parameters of `isDue`: no row due later than `by` is looked at; `offsetMs` null: `by` alone decides. */
export type DueMoment = { now: Date; by: Date; offsetMs: number | null }

/** What is due at `now` (real time), of a workspace whose clock is `moving` or of any. */
export const dueAt = (now: Date, moving?: MovingClock): DueMoment => ({
  now,
  by: later(now, moving?.aheadMs ?? 0),
  offsetMs: moving?.offsetMs ?? null,
})

/** Whether a row is due: `run_at` is its column, `offset` the other one, and the rest names parameters. */
export const isDue = (
  runAt: string,
  offset: string,
  { now, by, offsetMs }: { now: string; by: string; offsetMs: string },
): string =>
  `${runAt} <= ${by}::timestamptz and (${offsetMs}::bigint is null or ${runAt} + coalesce(${offset}, 0) * interval '1 millisecond'
   <= ${now}::timestamptz + ${offsetMs}::bigint * interval '1 millisecond')`

/** The same of a row that was read. */
export const isRowDue = (
  { runAt, runOffsetMs }: { runAt: Date; runOffsetMs?: number | null },
  { now, by, offsetMs }: DueMoment,
): boolean =>
  runAt <= by && (offsetMs === null || runAt.getTime() + (runOffsetMs ?? 0) <= now.getTime() + offsetMs)

/** The offset that a row's due time goes by, as it is stored. */
export const runOffsetOf = (workspace: { clockOffsetMs: number }): number | null =>
  workspace.clockOffsetMs || null

/** Rows of a table that wait to fall due: `waiting` is a condition on them (`t`). */
type WaitingRows = { table: string; runAt?: string; waiting: string }

/**
 * The statements behind `WorkSource.align`. A row that somebody else writes meanwhile is judged as they leave it, so none is
 * moved twice.
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
  // Two scans of the index of rows that go by an offset, around those that go by the right one, which are many. Rows of several
  // partitions may have one ctid: what else is compared serves no index, so that no plan reads all rows of the workspace. Nor does
  // one before the table has grown: of two indexes that seem to cost the same it takes the one in order.
  const rowsAt = (compared: '<' | '>') =>
    `(select t.ctid from ${table} t
      where t.workspace_id = $1 and ${waiting} and t.run_offset_ms is not null and t.run_offset_ms ${compared} $2
      order by t.run_offset_ms)`
  await query(
    `${align} where t.ctid = any (array(${rowsAt('<')} union all ${rowsAt('>')}))
       and t.workspace_id is not distinct from $1::uuid and coalesce(t.run_offset_ms, $2) <> $2`,
    [workspaceId, offsetMs],
  )
}
