/** The rows of the job queue, as its two sources claim and settle them. */
import type { Selectable } from 'kysely'
import { type Clock, later, SECOND_MS } from '../core/clock.ts'
import type { Query, Tx } from '../core/context.ts'
import type { DueMoment } from '../core/due.ts'
import type { WorkSource } from '../core/work.ts'
import { alignRows, isDue } from '../database/sql/due-statements.ts'
import { isOfWorkspace, queryInOrder } from '../database/sql/sql.ts'
import type { Tables } from '../database/sql/tables.ts'

export type JobRow = Pick<Selectable<Tables['jobs']>, 'workspaceId' | 'id' | 'name' | 'payload' | 'attempts'>

/** The duration of a claim; the lease of a dead worker expires. A worker that needs longer renews it. */
export const LEASE_MS = 12 * SECOND_MS
export const RENEW_MS = LEASE_MS / 3

export type JobClaim = {
  due: DueMoment
  limit: number
  workspaceId: string | undefined
  /** Workspaces whose jobs must wait. */
  except?: string[]
}

// The half of the queue is literal text in the statement, because each half has its own index.
const claimOf = (half: string): string => `
  update jobs j set attempts = attempts + 1, leased_until = $2
  from (select workspace_id, id from jobs queued
        where failed_at is null and ${half} and ${isDue('run_at', 'run_offset_ms', { now: '$1', by: '$6', offsetMs: '$7' })}
          and (leased_until is null or leased_until <= $1)
          and ($3::uuid is null or workspace_id = $3) and workspace_id <> all($5::uuid[]) and ${isOfWorkspace('queued')}
        order by run_at limit $4 for update skip locked) due
  where j.workspace_id = due.workspace_id and j.id = due.id
  returning j.workspace_id, j.id, j.name, j.payload, j.attempts`
const CLAIMS = { inside: claimOf('not outside'), outside: claimOf('outside') }

/** Claims due jobs, oldest first: those that call the outside, or those that use only the database. */
export const claimJobs = (tx: Tx, kind: keyof typeof CLAIMS, claim: JobClaim): Promise<JobRow[]> =>
  queryInOrder<JobRow>(tx, CLAIMS[kind], [
    claim.due.now,
    later(claim.due.now, LEASE_MS),
    claim.workspaceId ?? null,
    claim.limit,
    claim.except ?? [],
    claim.due.by,
    claim.due.offsetMs,
  ])

/** Extends the leases of these attempts. */
export const renewJobs = (query: Query, rows: JobRow[], clock: Clock) =>
  query(
    `update jobs j set leased_until = $4
     from unnest($1::uuid[], $2::uuid[], $3::int[]) held (workspace_id, id, attempts)
     where j.workspace_id = held.workspace_id and j.id = held.id and j.attempts = held.attempts`,
    [
      rows.map((row) => row.workspaceId),
      rows.map((row) => row.id),
      rows.map((row) => row.attempts),
      later(clock.now(), LEASE_MS),
    ],
  )

/** Deletes a job; returns false if another worker has claimed it since. */
export const deleteJob = async (tx: Tx, row: JobRow): Promise<boolean> =>
  (
    await tx.sql('delete from jobs where workspace_id = $1 and id = $2 and attempts = $3 returning id', [
      row.workspaceId,
      row.id,
      row.attempts,
    ])
  ).length > 0

/**
 * Schedules a job's next attempt, or sets it aside permanently with its error; returns false if this attempt
 * no longer owns it.
 */
export const setBackJob = async (
  run: Tx['sql'] | Query,
  row: JobRow,
  error: string,
  next: { runAt: Date; runOffsetMs: number | null; failedAt: Date | null },
): Promise<boolean> =>
  (
    await run(
      `update jobs set leased_until = null, last_error = $4, run_at = $5, failed_at = $6, run_offset_ms = $7
       where workspace_id = $1 and id = $2 and attempts = $3 returning id`,
      [row.workspaceId, row.id, row.attempts, error, next.runAt, next.failedAt, next.runOffsetMs],
    )
  ).length > 0

/** Deletes up to `max` jobs set aside before the given time; returns how many. */
export async function deleteFailedJobs(query: Query, by: Date, max: number): Promise<number> {
  const [row] = await query<{ count: number }>(
    `with gone as (
       delete from jobs where ctid = any (array(select ctid from jobs where failed_at <= $1 limit $2)) returning 1
     ) select count(*) as count from gone`,
    [by, max],
  )
  return row?.count ?? 0
}

export const moveDueTimes: NonNullable<WorkSource['align']> = (query, workspaceId, to) =>
  alignRows(query, { table: 'jobs', waiting: 't.failed_at is null' }, workspaceId, to)

/** Returns when the workspace's first unclaimed job is due, in real time. */
export async function findNextJobDue(
  query: Query,
  workspaceId: string,
  now: Date,
): Promise<Date | undefined> {
  const [row] = await query<{ at: Date | null }>(
    `select min(run_at) as at from jobs
     where workspace_id = $1 and failed_at is null and (leased_until is null or leased_until <= $2)`,
    [workspaceId, now],
  )
  return row?.at ?? undefined
}

/** Counts the workspace's jobs due by then that are running in any process. */
export async function countRunningJobs(
  query: Query,
  workspaceId: string,
  { now, by }: { now: Date; by: Date },
): Promise<number> {
  const [row] = await query<{ count: number }>(
    `select count(*) as count from jobs
     where workspace_id = $1 and failed_at is null and leased_until > $2 and run_at <= $3`,
    [workspaceId, now, by],
  )
  return row?.count ?? 0
}
