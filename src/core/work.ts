import type { Query } from './context.ts'
import type { MovingClock } from './due.ts'

/**
 * A kind of background work for the worker loop and the sandbox clock: rows that fall due at a real time. A row can be a job, a
 * queued message, a delivery, or a window.
 */
export type WorkSource = {
  name: string
  /** Milliseconds between polls when nothing wakes the source. */
  pollMs: number
  /**
   * Claims and runs due rows, up to a limit, and waits until they are settled. `workspaceId` limits it to one workspace;
   * `moving` is that workspace's moving clock. Returns how many rows it ran; 0 means that none is left.
   */
  runDue(options: { workspaceId?: string; moving?: MovingClock }): Promise<number>
  /**
   * Returns when the workspace's next row falls due (real time), without leased rows; undefined: never. Rows that no claim
   * would take do not count.
   */
  nextDue?(query: Query, workspaceId: string): Promise<Date | undefined>
  /** Returns how many rows of the workspace that were due by `by` are leased and being worked on. */
  running?(query: Query, workspaceId: string, by: Date): Promise<number>
  /** Stops claiming, and waits for the calls to the outside that are in flight. */
  stop?(): Promise<void>
  /** Converts the due times of the workspace's waiting rows to one clock offset. */
  align?(query: Query, workspaceId: string, to: Alignment): Promise<void>
}

/**
 * `offsetMs`: the workspace's clock offset. With `unlessDueAt`, rows without an offset are converted too, except those that are
 * due then (real time): rows that are due immediately are due under any offset.
 */
export type Alignment = { offsetMs: number; unlessDueAt?: Date }
