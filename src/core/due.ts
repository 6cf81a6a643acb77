/**
 * When rows fall due (docs/decisions/sandbox-clock.md). `run_at` is the due time in real time, computed with the clock offset
 * in `run_offset_ms` (null: 0, or due immediately). While a sandbox's clock moves, rows keep their old offset, so that no step
 * rewrites them; both columns decide whether a row is due.
 */
import { later } from './clock.ts'

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

/** Whether a row that was read is due. */
export const isRowDue = (
  { runAt, runOffsetMs }: { runAt: Date; runOffsetMs?: number | null },
  { now, by, offsetMs }: DueMoment,
): boolean =>
  runAt <= by && (offsetMs === null || runAt.getTime() + (runOffsetMs ?? 0) <= now.getTime() + offsetMs)

/** Returns the clock offset to store with a row's due time. */
export const runOffsetOf = (workspace: { clockOffsetMs: number }): number | null =>
  workspace.clockOffsetMs || null
