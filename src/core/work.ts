import type { Query } from './context.ts'
import type { MovingClock } from './due.ts'

/**
 * A kind of background work as the worker loop and the sandbox clock see it: rows that fall due
 * at a real time. The row that is the work may be a job, a queued message, a delivery, a window.
 */
export type WorkSource = {
  name: string
  /** Milliseconds between looks when nothing wakes the source. */
  pollMs: number
  /**
   * Claims and runs up to a bounded number of due rows and waits until they are settled.
   * `workspaceId` limits it to one workspace; `moving`: whose clock is being moved. Returns how many it ran; 0 means drained.
   */
  runDue(options: { workspaceId?: string; moving?: MovingClock }): Promise<number>
  /**
   * When the workspace's next row falls due (real time), leased rows left out; undefined: never. A row that no claim
   * would claim is not counted.
   */
  nextDue?(query: Query, workspaceId: string): Promise<Date | undefined>
  /** How many leased rows of the workspace, that were due by `by`, are being worked on by somebody just now. */
  running?(query: Query, workspaceId: string, by: Date): Promise<number>
  /** Claims no more, and waits for the calls to the outside that are under way. */
  stop?(): Promise<void>
  /** Has the due times of the workspace's waiting rows go by one offset of its clock. */
  align?(query: Query, workspaceId: string, to: Alignment): Promise<void>
}

/**
 * `offsetMs`: of the workspace's clock. Rows that go by none yet are aligned where `unlessDueAt` is given, unless they are due then
 * (real time): what is due at once is due by any offset.
 */
export type Alignment = { offsetMs: number; unlessDueAt?: Date }
