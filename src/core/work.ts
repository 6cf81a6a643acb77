import type { Query, Tx } from './context.ts'

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
   * `workspaceId` limits it to one workspace. Returns how many it ran; 0 means drained.
   */
  runDue(options: { workspaceId?: string }): Promise<number>
  /**
   * When the workspace's next row falls due (real time), leased rows left out; undefined: never. A row that no claim
   * would claim is not counted.
   */
  nextDue?(query: Query, workspaceId: string): Promise<Date | undefined>
  /** How many leased rows of the workspace are being worked on by somebody just now. */
  running?(query: Query, workspaceId: string): Promise<number>
  /** Claims no more, and waits for the calls to the outside that are under way. */
  stop?(): Promise<void>
  /** Pulls every pending row of the workspace `ms` nearer, in the transaction that moves its clock forward. */
  shift?(tx: Tx, workspaceId: string, ms: number): Promise<void>
}
