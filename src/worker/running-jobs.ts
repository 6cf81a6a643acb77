/** The jobs that call the outside and run in this process. */
import { type Clock, SECOND_MS } from '../core/clock.ts'
import type { JobRow } from './job-rows.ts'

export type RunningJobs = {
  /** Counts a job until `run` has ended; resolves when it no longer counts. */
  add(row: JobRow, run: Promise<void>): Promise<void>
  /** Returns how many more may start. */
  room(): number
  /** Returns the workspaces that already run their maximum. */
  busyWorkspaces(): string[]
  /** Resolves when the currently running jobs have ended. */
  allEnded(): Promise<unknown>
}

/** Maximum number of concurrent jobs that call the outside, in this process and for one workspace. */
const MAX_AT_ONCE = 16
export const AT_ONCE_OF_WORKSPACE = 4
/** A job running longer than this no longer takes a place, up to `MAX_SLOW` of them. */
const SLOW_AFTER_MS = 2 * SECOND_MS
const MAX_SLOW = 112

export function runningJobs(clock: Clock): RunningJobs {
  /** The start (monotonic) and the end of each job. */
  const running = new Map<JobRow, { startedAtMs: number; ended: Promise<void> }>()
  return {
    add: (row, run) => {
      const ended = run.finally(() => running.delete(row))
      running.set(row, { startedAtMs: clock.monotonicMs(), ended })
      return ended
    },
    room: () => {
      const sinceMs = clock.monotonicMs() - SLOW_AFTER_MS
      const slow = [...running.values()].filter(({ startedAtMs }) => startedAtMs < sinceMs).length
      return MAX_AT_ONCE - (running.size - Math.min(slow, MAX_SLOW))
    },
    busyWorkspaces: () => {
      const counts = new Map<string, number>()
      for (const { workspaceId } of running.keys())
        counts.set(workspaceId, (counts.get(workspaceId) ?? 0) + 1)
      return [...counts].filter(([, count]) => count >= AT_ONCE_OF_WORKSPACE).map(([id]) => id)
    },
    allEnded: () => Promise.all([...running.values()].map(({ ended }) => ended)),
  }
}
