import { later, SECOND_MS } from '../core/clock.ts'
import { type Outside, platformContext, type Workspace } from '../core/context.ts'
import { isOutsideJob, OUTSIDE_JOBS } from '../core/job.ts'
import type { WorkSource } from '../core/work.ts'
import { claimJobs, deleteJob, type JobRow, RENEW_MS, renewJobs, setBackJob } from './job-rows.ts'
import type { JobsOptions } from './jobs-source.ts'

/** Jobs that speak to the outside at once in this process, and of one workspace among them. */
const MAX_AT_ONCE = 16
const AT_ONCE_OF_WORKSPACE = 4
/** One that takes longer no longer counts among those that others wait for, up to so many of them. */
const SLOW_AFTER_MS = 2 * SECOND_MS
const MAX_SLOW = 112

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
  const { database, clock, outside } = options
  const kinds = new Map(options.kinds.filter(isOutsideJob).map((kind) => [kind.name, kind]))
  /** When each began (monotonic), and its end. */
  const running = new Map<JobRow, { startedAtMs: number; ended: Promise<void> }>()
  let filling: Promise<void> | undefined
  let stopping = false

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

  const setBack = async (row: JobRow, workspace: Workspace, error: unknown): Promise<void> => {
    options.onJobFault(row.name, error)
    const now = clock.now()
    const kind = kinds.get(row.name)
    const why = error instanceof Error ? error.message : String(error)
    const seconds = kind?.retrySeconds[row.attempts - 1]
    const runAt = later(now, (seconds ?? 0) * SECOND_MS)
    if (seconds !== undefined) {
      await setBackJob(database.query, row, why, { runAt, failedAt: null })
      return
    }
    await database.tenant(workspace, async (unit) => {
      const held = await setBackJob(unit.tx.sql, row, why, { runAt, failedAt: now })
      if (held)
        await kind?.giveUp?.(platformContext(unit, workspace, clock), kind.payload.parse(row.payload), why)
    })
  }

  const run = async (row: JobRow, workspace: Workspace): Promise<void> => {
    const renewal = setInterval(() => {
      // A lease that could not be renewed is at worst taken over; the attempt's number then keeps us from writing.
      renewJobs(database.query, [row], clock).catch((error: unknown) => options.onJobFault(row.name, error))
    }, RENEW_MS)
    try {
      await call(row, workspace).catch((error: unknown) => setBack(row, workspace, error))
    } finally {
      clearInterval(renewal)
    }
  }

  const start = (row: JobRow, workspace: Workspace): Promise<void> => {
    const ended = run(row, workspace)
      // What could not even be set back is left to its lease.
      .catch((error: unknown) => options.onJobFault(row.name, error))
      .finally(() => running.delete(row))
    running.set(row, { startedAtMs: clock.monotonicMs(), ended })
    return ended
  }

  const busyWorkspaces = (): string[] => {
    const counts = new Map<string, number>()
    for (const { workspaceId } of running.keys()) counts.set(workspaceId, (counts.get(workspaceId) ?? 0) + 1)
    return [...counts].filter(([, count]) => count >= AT_ONCE_OF_WORKSPACE).map(([id]) => id)
  }

  /** How many more may begin. */
  const room = (): number => {
    const sinceMs = clock.monotonicMs() - SLOW_AFTER_MS
    const slow = [...running.values()].filter(({ startedAtMs }) => startedAtMs < sinceMs).length
    return MAX_AT_ONCE - (running.size - Math.min(slow, MAX_SLOW))
  }

  /** Claims up to `limit` jobs and starts those whose workspace is there; answers how many it claimed too. */
  const startDue = async (limit: number, workspaceId: string | undefined) => {
    const except = workspaceId === undefined ? busyWorkspaces() : []
    const claim = { now: clock.now(), limit, workspaceId, except }
    const rows = await database.system((tx) => claimJobs(tx, true, claim))
    const workspaces = await options.workspaces(rows.map((row) => row.workspaceId))
    const started = rows.flatMap((row) => {
      const workspace = workspaces.get(row.workspaceId)
      return workspace ? [start(row, workspace)] : []
    })
    return { claimed: rows.length, started }
  }

  const fill = async (): Promise<void> => {
    while (!stopping && room() > 0) {
      const { claimed, started } = await startDue(Math.min(AT_ONCE_OF_WORKSPACE, room()), undefined)
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
    async runDue({ workspaceId }) {
      if (workspaceId === undefined) {
        await fillOnce()
        return 0
      }
      const { started } = await startDue(AT_ONCE_OF_WORKSPACE, workspaceId)
      await Promise.all(started)
      return started.length
    },
    async stop() {
      stopping = true
      await filling?.catch(() => {})
      await Promise.all([...running.values()].map(({ ended }) => ended))
    },
  }
}
