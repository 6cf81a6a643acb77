import type { Outside, Workspace } from '../core/context.ts'
import { dueAt, type MovingClock } from '../core/due.ts'
import { OUTSIDE_JOBS } from '../core/job.ts'
import type { WorkSource } from '../core/work.ts'
import { claimJobs, type JobRow } from './job-rows.ts'
import type { JobsOptions } from './jobs-source.ts'
import { outsideJobRunner } from './outside-job-runner.ts'
import { AT_ONCE_OF_WORKSPACE, runningJobs } from './running-jobs.ts'

export type OutsideJobsOptions = JobsOptions & { outside: Outside }

export type OutsideJobsSource = WorkSource & {
  /** Claims no more, and waits for the jobs under way. */
  stop(): Promise<void>
}

/**
 * Runs the jobs that speak to the outside, several at once: one that hangs delays only what follows it in its own
 * workspace. For one workspace, `runDue` waits until what it claimed is settled (the sandbox's clock needs that).
 * Without one it only sets due jobs going and answers 0; the source claims on by itself as places become free.
 */
export function outsideJobsSource(options: OutsideJobsOptions): OutsideJobsSource {
  const { database, clock } = options
  const run = outsideJobRunner(options)
  const running = runningJobs(clock)
  let filling: Promise<void> | undefined
  let stopping = false

  const start = (row: JobRow, workspace: Workspace): Promise<void> =>
    // What could not even be set back is left to its lease.
    running.add(
      row,
      run(row, workspace).catch((error: unknown) => options.onJobFault(row.name, error)),
    )

  /** Claims up to `limit` jobs and starts those whose workspace is there; answers how many it claimed too. */
  const startDue = async (limit: number, workspaceId: string | undefined, moving?: MovingClock) => {
    const except = workspaceId === undefined ? running.busyWorkspaces() : []
    const claim = { due: dueAt(clock.now(), moving), limit, workspaceId, except }
    const rows = await database.system((tx) => claimJobs(tx, 'outside', claim))
    const workspaces = await options.workspaces(rows.map((row) => row.workspaceId))
    const started = rows.flatMap((row) => {
      const workspace = workspaces.get(row.workspaceId)
      return workspace ? [start(row, workspace)] : []
    })
    return { claimed: rows.length, started }
  }

  const fill = async (): Promise<void> => {
    while (!stopping && running.room() > 0) {
      const { claimed, started } = await startDue(Math.min(AT_ONCE_OF_WORKSPACE, running.room()), undefined)
      if (claimed === 0) return
      for (const ended of started)
        void ended.then(() => fillOnce()).catch((error: unknown) => options.onJobFault(OUTSIDE_JOBS, error))
    }
  }
  const fillOnce = (): Promise<void> => {
    filling ??= fill().finally(() => {
      filling = undefined
    })
    return filling
  }

  return {
    name: OUTSIDE_JOBS,
    pollMs: 1_000,
    async runDue({ workspaceId, moving }) {
      if (workspaceId === undefined) {
        await fillOnce()
        return 0
      }
      const { started } = await startDue(AT_ONCE_OF_WORKSPACE, workspaceId, moving)
      await Promise.all(started)
      return started.length
    },
    async stop() {
      stopping = true
      await filling?.catch(() => {})
      await running.allEnded()
    },
  }
}
