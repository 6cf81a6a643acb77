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
  /** Stops claiming, and waits for the running jobs. */
  stop(): Promise<void>
}

/**
 * Runs the jobs that call the outside concurrently: a hanging job delays only later jobs of its workspace.
 * For one workspace, `runDue` waits until its claimed jobs are settled (for the sandbox's clock). Without a
 * workspace it starts due jobs and returns 0; the source claims more as places become free.
 */
export function outsideJobsSource(options: OutsideJobsOptions): OutsideJobsSource {
  const { database, clock } = options
  const run = outsideJobRunner(options)
  const running = runningJobs(clock)
  let filling: Promise<void> | undefined
  let stopping = false

  const start = (row: JobRow, workspace: Workspace): Promise<void> =>
    // A job that could not be rescheduled waits for the end of its lease.
    running.add(
      row,
      run(row, workspace).catch((error: unknown) => options.onJobFault(row.name, error)),
    )

  /** Claims up to `limit` jobs and starts those whose workspace exists; also returns how many it claimed. */
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
