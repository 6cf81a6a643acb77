import { SECOND_MS } from '../../../core/clock.ts'
import type { Database, Workspace } from '../../../core/context.ts'
import { isUpdateWaiting } from './queries/due-updates.ts'

/** Longest wait: what is locked by others, or set back after a fault, arrives later. */
const MAX_WAIT_MS = 2 * SECOND_MS
/** Between looks at a row that somebody else has in hand. */
const LOOK_MS = 5

type ApplierOptions = {
  database: Database
  /** Runs what is due of a workspace's updates; how many it ran. */
  runUpdates(workspaceId: string): Promise<number>
  /** Waits real time; rejects when `signal` ends it. */
  pause(ms: number, signal: AbortSignal): Promise<void>
}

/**
 * Builds the function that applies one update of the intake at once, here or by waiting for whoever has it in hand,
 * so that its sender may go on from it. Gives up after two seconds, without a fault: the row is stored.
 */
export const updateApplier =
  ({ database, runUpdates, pause }: ApplierOptions) =>
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
    } finally {
      over.abort()
    }
  }
