/** Runs one claimed job that calls the outside, until it is done, rescheduled, or given up. */
import { later, SECOND_MS } from '../core/clock.ts'
import { platformContext, type Workspace } from '../core/context.ts'
import { runOffsetOf } from '../core/due.ts'
import { isOutsideJob } from '../core/job.ts'
import { deleteJob, type JobRow, RENEW_MS, renewJobs, setBackJob } from './job-rows.ts'
import type { OutsideJobsOptions } from './outside-jobs-source.ts'

/**
 * Returns a runner that renews the job's lease meanwhile. Rejects if a failed job could not be rescheduled.
 */
export function outsideJobRunner(
  options: OutsideJobsOptions,
): (row: JobRow, workspace: Workspace) => Promise<void> {
  const { database, clock, outside } = options
  const kinds = new Map(options.kinds.filter(isOutsideJob).map((kind) => [kind.name, kind]))

  const call = async (row: JobRow, workspace: Workspace): Promise<void> => {
    const kind = kinds.get(row.name)
    if (!kind) throw new Error(`no job kind ${row.name}`)
    const finish = await kind.runOutside(
      {
        workspace,
        actor: { kind: 'platform' },
        clock,
        outside,
        requestKey: null,
        transaction: (work) =>
          database.tenant(workspace, (unit) => work(platformContext(unit, workspace, clock))),
      },
      kind.payload.parse(row.payload),
    )
    await database.tenant(workspace, async (unit) => {
      if (await deleteJob(unit.tx, row)) await finish(platformContext(unit, workspace, clock))
    })
  }

  /**
   * Retries after the wait of its kind; sets a job without remaining attempts aside, and lets its kind clean
   * up.
   */
  const setBack = async (row: JobRow, workspace: Workspace, error: unknown): Promise<void> => {
    options.onJobFault(row.name, error)
    const now = clock.now()
    const kind = kinds.get(row.name)
    const reason = error instanceof Error ? error.message : String(error)
    const seconds = kind?.retrySeconds[row.attempts - 1]
    const runAt = later(now, (seconds ?? 0) * SECOND_MS)
    const runOffsetMs = runOffsetOf(workspace)
    if (seconds !== undefined) {
      await setBackJob(database.query, row, reason, { runAt, runOffsetMs, failedAt: null })
      return
    }
    await database.tenant(workspace, async (unit) => {
      const held = await setBackJob(unit.tx.sql, row, reason, { runAt, runOffsetMs, failedAt: now })
      if (held)
        await kind?.giveUp?.(platformContext(unit, workspace, clock), kind.payload.parse(row.payload), reason)
    })
  }

  return async (row, workspace) => {
    const renewal = setInterval(() => {
      // If the lease is not renewed, another worker may claim the job; then the attempt number prevents our
      // writes.
      renewJobs(database.query, [row], clock).catch((error: unknown) => options.onJobFault(row.name, error))
    }, RENEW_MS)
    try {
      await call(row, workspace).catch((error: unknown) => setBack(row, workspace, error))
    } finally {
      clearInterval(renewal)
    }
  }
}
