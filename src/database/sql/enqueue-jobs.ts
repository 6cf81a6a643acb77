/** Puts jobs in the queue. */
import type { z } from 'zod'
import { realTime } from '../../core/clock.ts'
import type { Unit, Workspace } from '../../core/context.ts'
import { runOffsetOf } from '../../core/due.ts'
import { newId } from '../../core/ids.ts'
import { isOutsideJob, JOBS, type JobKind, OUTSIDE_JOBS } from '../../core/job.ts'
import { instants, uuids } from './binary-arrays.ts'
import { plainList } from './sql.ts'

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
