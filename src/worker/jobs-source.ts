import type { Clock } from '../core/clock.ts'
import { later, SECOND_MS } from '../core/clock.ts'
import { type Database, platformContext, type Workspace } from '../core/context.ts'
import { dueAt, runOffsetOf } from '../core/due.ts'
import { isOutsideJob, JOBS, type JobKind } from '../core/job.ts'
import type { WorkSource } from '../core/work.ts'
import { isConnectionFault } from '../database/faults.ts'
import {
  claimJobs,
  countRunningJobs,
  deleteJob,
  findNextJobDue,
  type JobRow,
  moveDueTimes,
  RENEW_MS,
  renewJobs,
  setBackJob,
} from './job-rows.ts'

export type JobsOptions = {
  database: Database
  clock: Clock
  kinds: JobKind[]
  workspaces(ids: string[]): Promise<Map<string, Workspace>>
  onJobFault(job: string, error: unknown): void
}

const MAX_CLAIM = 50

/**
 * The queue of background work. A job runs in one transaction with its own deletion; while it is leased no
 * other worker claims it. Runs the jobs that use only the database (`outsideJobsSource` has the others). For
 * the sandbox's clock it checks the whole queue.
 */
export function jobsSource(options: JobsOptions): WorkSource {
  const kinds = new Map(options.kinds.map((kind) => [kind.name, kind]))

  const perform = async (row: JobRow, workspace: Workspace): Promise<void> => {
    const kind = kinds.get(row.name)
    if (!kind || isOutsideJob(kind)) throw new Error(`no job kind ${row.name}`)
    await options.database.tenant(workspace, async (unit) => {
      // Another worker may have claimed it since: only the owner of this attempt may continue.
      if (await deleteJob(unit.tx, row))
        await kind.run(platformContext(unit, workspace, options.clock), kind.payload.parse(row.payload))
    })
  }

  /** Retries after the wait of its kind; sets a job without remaining attempts aside with its error. */
  const setBack = async (row: JobRow, workspace: Workspace, error: unknown): Promise<void> => {
    options.onJobFault(row.name, error)
    const now = options.clock.now()
    const kind = kinds.get(row.name)
    const seconds = kind?.retrySeconds[row.attempts - 1]
    const reason = error instanceof Error ? error.message : String(error)
    const next = {
      runAt: later(now, (seconds ?? 0) * SECOND_MS),
      runOffsetMs: runOffsetOf(workspace),
      failedAt: seconds === undefined ? now : null,
    }
    if (seconds !== undefined || !kind || isOutsideJob(kind) || !kind.giveUp) {
      await setBackJob(options.database.query, row, reason, next)
      return
    }
    const { giveUp } = kind
    await options.database.tenant(workspace, async (unit) => {
      if (await setBackJob(unit.tx.sql, row, reason, next))
        await giveUp(platformContext(unit, workspace, options.clock), kind.payload.parse(row.payload))
    })
  }

  /**
   * A job that could not be rescheduled returns when its lease ends. It delays no other job, unless the
   * database is away.
   */
  const retryAfterLease = (row: JobRow, error: unknown): void => {
    if (isConnectionFault(error)) throw error
    options.onJobFault(row.name, error)
  }

  return {
    name: JOBS,
    pollMs: 1_000,
    async runDue({ workspaceId, moving }) {
      const claim = { due: dueAt(options.clock.now(), moving), limit: MAX_CLAIM, workspaceId }
      const rows = await options.database.system((tx) => claimJobs(tx, 'inside', claim))
      const workspaces = await options.workspaces(rows.map((row) => row.workspaceId))
      let heldSinceMs = options.clock.monotonicMs()
      for (const [done, row] of rows.entries()) {
        if (options.clock.monotonicMs() - heldSinceMs > RENEW_MS) {
          await renewJobs(options.database.query, rows.slice(done), options.clock)
          heldSinceMs = options.clock.monotonicMs()
        }
        const workspace = workspaces.get(row.workspaceId)
        if (workspace)
          await perform(row, workspace)
            .catch((error: unknown) => setBack(row, workspace, error))
            .catch((error: unknown) => retryAfterLease(row, error))
      }
      return rows.length
    },
    nextDue: (query, workspaceId) => findNextJobDue(query, workspaceId, options.clock.now()),
    running: (query, workspaceId, by) =>
      countRunningJobs(query, workspaceId, { now: options.clock.now(), by }),
    align: moveDueTimes,
  }
}
