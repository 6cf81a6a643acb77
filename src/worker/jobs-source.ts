import type { Clock } from '../core/clock.ts'
import { later, SECOND_MS } from '../core/clock.ts'
import { type Database, platformContext, type Workspace } from '../core/context.ts'
import { JOBS, type JobKind } from '../core/job.ts'
import type { WorkSource } from '../core/work.ts'

type JobRow = { workspaceId: string; id: string; name: string; payload: unknown; attempts: number }

export type JobsOptions = {
  database: Database
  clock: Clock
  kinds: JobKind[]
  workspaces(ids: string[]): Promise<Map<string, Workspace>>
  onError(job: string, error: unknown): void
}

const LEASE_MS = 30 * SECOND_MS
const CLAIM_MOST = 50

/**
 * The queue of background work. A job runs in one transaction with its own removal; while it is
 * leased nobody else claims it, and a lease that its worker did not survive runs out.
 */
export function jobsSource(options: JobsOptions): WorkSource {
  const kinds = new Map(options.kinds.map((kind) => [kind.name, kind]))

  const claim = (workspaceId: string | undefined): Promise<JobRow[]> => {
    const now = options.clock.now()
    return options.database.query<JobRow>(
      `update jobs j set attempts = attempts + 1, leased_until = $2
       from (select workspace_id, id from jobs
             where failed_at is null and run_at <= $1 and (leased_until is null or leased_until <= $1)
               and ($3::uuid is null or workspace_id = $3)
             order by run_at limit $4 for update skip locked) due
       where j.workspace_id = due.workspace_id and j.id = due.id
       returning j.workspace_id, j.id, j.name, j.payload, j.attempts`,
      [now, later(now, LEASE_MS), workspaceId ?? null, CLAIM_MOST],
    )
  }

  const perform = async (row: JobRow, workspace: Workspace): Promise<void> => {
    const kind = kinds.get(row.name)
    if (!kind) throw new Error(`no job kind ${row.name}`)
    await options.database.tenant(workspace, async (unit) => {
      // Another worker may have taken it over since our claim: only the holder of this attempt may go on.
      const held = await unit.tx.sql(
        'delete from jobs where workspace_id = $1 and id = $2 and attempts = $3 returning id',
        [row.workspaceId, row.id, row.attempts],
      )
      if (held.length > 0)
        await kind.run(platformContext(unit, workspace, options.clock), kind.payload.parse(row.payload))
    })
  }

  /** Retries after the wait of its kind; a job that is out of tries is set aside with its error. */
  const setBack = async (row: JobRow, error: unknown): Promise<void> => {
    options.onError(row.name, error)
    const now = options.clock.now()
    const seconds = kinds.get(row.name)?.retrySeconds[row.attempts - 1]
    await options.database.query(
      `update jobs set leased_until = null, last_error = $4, run_at = $5, failed_at = $6
       where workspace_id = $1 and id = $2 and attempts = $3`,
      [
        row.workspaceId,
        row.id,
        row.attempts,
        error instanceof Error ? error.message : String(error),
        later(now, (seconds ?? 0) * SECOND_MS),
        seconds === undefined ? now : null,
      ],
    )
  }

  return {
    name: JOBS,
    pollMs: 1_000,
    async runDue({ workspaceId }) {
      const rows = await claim(workspaceId)
      const workspaces = await options.workspaces(rows.map((row) => row.workspaceId))
      for (const row of rows) {
        const workspace = workspaces.get(row.workspaceId)
        if (workspace) await perform(row, workspace).catch((error: unknown) => setBack(row, error))
      }
      return rows.length
    },
    async nextDue(workspaceId) {
      const [row] = await options.database.query<{ at: Date | null }>(
        `select min(run_at) as at from jobs
         where workspace_id = $1 and failed_at is null and (leased_until is null or leased_until <= $2)`,
        [workspaceId, options.clock.now()],
      )
      return row?.at ?? undefined
    },
    async running(workspaceId) {
      const [row] = await options.database.query<{ count: number }>(
        'select count(*) as count from jobs where workspace_id = $1 and failed_at is null and leased_until > $2',
        [workspaceId, options.clock.now()],
      )
      return row?.count ?? 0
    },
    async shift(tx, workspaceId, ms) {
      await tx.sql(
        `update jobs set run_at = run_at - $2 * interval '1 millisecond' where workspace_id = $1 and failed_at is null`,
        [workspaceId, ms],
      )
    },
  }
}
