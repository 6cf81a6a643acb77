import { SECOND_MS } from '../../../../core/clock.ts'
import type { Database, Workspace } from '../../../../core/context.ts'
import { isUpdateWaiting } from './queries/due-updates.ts'

/** The longest wait. An update that is locked, or set back after a fault, is applied later. */
const MAX_WAIT_MS = 2 * SECOND_MS
/** Interval between checks of a row that another process works on. */
const LOOK_MS = 5

type ApplierOptions = {
  database: Database
  /** Applies a workspace's due updates and returns how many there were. */
  runUpdates(workspaceId: string): Promise<number>
  /** Waits in real time; rejects when `signal` aborts. */
  pause(ms: number, signal: AbortSignal): Promise<void>
  onError(error: unknown): void
}

/**
 * Builds the function that applies one stored update immediately, or waits until another process has done so,
 * so that the sender can continue from it. Gives up after two seconds without an error, because the row is
 * stored.
 */
export const updateApplier =
  ({ database, runUpdates, pause, onError }: ApplierOptions) =>
  async ({ id: workspaceId }: Workspace, updateId: string): Promise<void> => {
    const over = new AbortController()
    const apply = async (): Promise<void> => {
      while (!over.signal.aborted) {
        const ran = await runUpdates(workspaceId)
        if (!(await isUpdateWaiting(database.query, workspaceId, updateId))) return
        if (ran === 0) await pause(LOOK_MS, over.signal)
      }
    }
    try {
      await Promise.race([apply(), pause(MAX_WAIT_MS, over.signal)])
    } catch (error) {
      // The update is stored; background work applies it later.
      onError(error)
    } finally {
      over.abort()
    }
  }
