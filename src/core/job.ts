import type { z } from 'zod'
import { realTime } from './clock.ts'
import type { Context, Unit, Workspace } from './context.ts'
import { newId } from './ids.ts'

/** A kind of background work: what it carries, and how long it waits before each further try. */
export type JobKind<Payload extends z.ZodType = z.ZodType> = {
  name: string
  payload: Payload
  /** Seconds before each retry; when they are used up the job is set aside with its error. */
  retrySeconds: readonly number[]
  /** Runs inside a tenant transaction that also removes the job: both happen or neither. */
  run(ctx: Context, payload: z.output<Payload>): Promise<void>
}

/** Declares a kind of background work. */
export const job = <Payload extends z.ZodType>(kind: JobKind<Payload>): JobKind<Payload> => kind

/** The source name that the worker wakes by. */
export const JOBS = 'jobs'

/**
 * Puts a job in the queue in the caller's transaction. `at` is in the workspace's time
 * (default: now); the row keeps real time.
 */
export async function enqueue<Payload extends z.ZodType>(
  ctx: Unit & { workspace: Workspace; now: Date },
  kind: JobKind<Payload>,
  payload: z.input<Payload>,
  at: Date = ctx.now,
): Promise<void> {
  await ctx.tx.sql(
    `insert into jobs (workspace_id, id, name, payload, run_at, created_at) values ($1, $2, $3, $4, $5, $6)`,
    [ctx.workspace.id, newId(), kind.name, JSON.stringify(payload), realTime(at, ctx.workspace), ctx.now],
  )
  ctx.wakes.add(JOBS)
}
