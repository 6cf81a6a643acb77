import type { z } from 'zod'
import { instants, uuids } from './binary-arrays.ts'
import { realTime } from './clock.ts'
import type { Context, OutsideContext, Unit, Workspace } from './context.ts'
import { runOffsetOf } from './due.ts'
import { newId } from './ids.ts'
import { plainList } from './sql.ts'

type Kind<Payload extends z.ZodType> = {
  name: string
  payload: Payload
  /** Seconds before each retry. After the last retry, the job is set aside with its error. */
  retrySeconds: readonly number[]
}

/** A job that uses only the database. */
export type InsideJob<Payload extends z.ZodType = z.ZodType> = Kind<Payload> & {
  /** Runs inside a tenant transaction that also removes the job, so that both happen or neither. */
  run(ctx: Context, payload: z.output<Payload>): Promise<void>
  /** Runs in the transaction that sets the job aside after its last attempt. */
  giveUp?(ctx: Context, payload: z.output<Payload>): Promise<void>
}

/** A job that calls the outside. Its lease is renewed while it runs, so no other process runs it at the same time. */
export type OutsideJob<Payload extends z.ZodType = z.ZodType> = Kind<Payload> & {
  /**
   * Makes its calls and returns a function with the writes, which runs in the transaction that removes the job. If the process
   * dies before, another process runs the job again, so everything here must be safe to repeat.
   */
  runOutside(ctx: OutsideContext, payload: z.output<Payload>): Promise<(ctx: Context) => Promise<void>>
  /** Runs in the transaction that sets the job aside after its last attempt. */
  giveUp?(ctx: Context, payload: z.output<Payload>, reason: string): Promise<void>
}

/** A kind of background job: its payload, and the delay before each retry. */
export type JobKind<Payload extends z.ZodType = z.ZodType> = InsideJob<Payload> | OutsideJob<Payload>

/** Declares a kind of background job. */
export const job = <Payload extends z.ZodType>(kind: InsideJob<Payload>): InsideJob<Payload> => kind

/** Declares a kind of background job that calls the outside. */
export const outsideJob = <Payload extends z.ZodType>(kind: OutsideJob<Payload>): OutsideJob<Payload> => kind

export const isOutsideJob = (kind: object): kind is OutsideJob => 'runOutside' in kind

/** Names of the work sources of jobs without and with calls to the outside, for waking the worker. */
export const JOBS = 'jobs'
export const OUTSIDE_JOBS = 'outside-jobs'

export type NewJob<Payload extends z.ZodType> = {
  ctx: Unit & { workspace: Workspace; now: Date }
  payload: z.input<Payload>
  /** In the workspace's time; default: now. The row keeps real time. */
  at?: Date
}

/** Puts jobs of one kind in the queue, in the transaction that their contexts share. One statement. */
export async function enqueueAll<Payload extends z.ZodType>(
  kind: JobKind<Payload>,
  jobs: NewJob<Payload>[],
): Promise<void> {
  const unit = jobs[0]?.ctx
  if (!unit) return
  const outside = isOutsideJob(kind)
  await unit.tx.sql(
    `insert into jobs (workspace_id, id, name, payload, run_at, run_offset_ms, created_at, outside)
     select workspace_id, id, $3, payload, run_at, run_offset_ms, created_at, $7
     from unnest($1::uuid[], $2::uuid[], $4::jsonb[], $5::timestamptz[], $8::int8[], $6::timestamptz[])
       as j(workspace_id, id, payload, run_at, run_offset_ms, created_at)`,
    [
      uuids(jobs.map(({ ctx }) => ctx.workspace.id)),
      uuids(jobs.map(() => newId())),
      kind.name,
      jobs.map(({ payload }) => JSON.stringify(payload)),
      instants(jobs.map(({ ctx, at = ctx.now }) => realTime(at, ctx.workspace))),
      instants(jobs.map(({ ctx }) => ctx.now)),
      outside,
      plainList(jobs.map(({ ctx }) => runOffsetOf(ctx.workspace))),
    ],
  )
  unit.wakes.add(outside ? OUTSIDE_JOBS : JOBS)
}

/**
 * Puts a job in the queue in the caller's transaction. `at` is in the workspace's time
 * (default: now); the row keeps real time.
 */
export const enqueue = <Payload extends z.ZodType>(
  ctx: Unit & { workspace: Workspace; now: Date },
  kind: JobKind<Payload>,
  payload: z.input<Payload>,
  at: Date = ctx.now,
): Promise<void> => enqueueAll(kind, [{ ctx, payload, at }])
