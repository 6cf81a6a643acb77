/** Statements that count the results of an automation's steps. */
import type { Context } from '../../../../core/context.ts'
import type { RunStatus, StepStatus } from '../run-schema.ts'
import type { RunRow } from './runs.ts'

/** The newest runs of the period: a stretch of one index, whatever the number of runs. */
const NEWEST = `from automation_runs
  where workspace_id = $1 and automation_id = $2 and created_at >= $3 order by id desc limit $4`

/** Counts the runs of a period, up to `max`. */
export const countRuns = async (
  ctx: Context,
  automationId: string,
  from: Date,
  max: number,
): Promise<number> =>
  (
    await ctx.tx.sql<{ count: number }>(`select count(*)::int4 as count from (select 1 ${NEWEST}) newest`, [
      ctx.workspace.id,
      automationId,
      from,
      max,
    ])
  )[0]!.count

/**
 * A number of runs by their state (`run`), by their result at a step (`step`), that did not start, or that had other steps.
 * With `reason`, only those that have this reason.
 */
export type ResultRow = Pick<RunRow, 'reason'> & {
  part: 'run' | 'step' | 'not started' | 'other steps'
  /** The number of the step. */
  position: number | null
  /** `active`: the run is at the step now. */
  outcome: RunStatus | StepStatus | 'active' | null
  count: number
}

const REASONS = 3

/**
 * Counts the newest runs of a period by state, and by the result of each step. A run belongs to the steps of today if its
 * actions so far have the same types in the same order. `ended` has the reasons of runs that ended between two steps.
 */
export const countResults = (
  ctx: Context,
  automationId: string,
  { from, types, ended, max }: { from: Date; types: string[]; ended: string[]; max: number },
): Promise<ResultRow[]> =>
  ctx.tx.sql<ResultRow>(
    `with read as materialized (
       select n.*, jsonb_array_length(n.steps) as length,
         (select coalesce(array_agg(s.step ->> 'action' order by s.place), '{}')
          from jsonb_array_elements(n.steps) with ordinality as s (step, place)) as types
       from (select status, reason, actions is not null as started, steps ${NEWEST}) n),
     own as (select * from read where types = ($5::text[])[1:cardinality(types)]),
     at_steps as (
       select s.place::int4 as position,
         case when own.status = 'waiting' and s.place = own.length then 'active' else s.step ->> 'status' end as outcome,
         s.step ->> 'reason' as reason
       from own cross join lateral jsonb_array_elements(own.steps) with ordinality as s (step, place)
       union all
       select length + 1, case status when 'running' then 'active' else status end, reason from own
       where length < cardinality($5::text[]) and (
         status = 'running'
         or (status = 'failed' and steps -> -1 ->> 'status' is distinct from 'failed')
         or (status = 'skipped' and started and reason = any ($6::text[])))),
     reasons as (
       select 'step' as part, position, outcome, reason, count(*)::int4 as count from at_steps
       where outcome in ('skipped', 'failed') and reason is not null group by position, outcome, reason
       union all
       select 'not started', null, null, reason, count(*)::int4 from read
       where status = 'skipped' and not started and reason is not null group by reason),
     ranked as (
       select *, row_number() over (partition by part, position, outcome order by count desc, reason) as place from reasons)
     select 'run' as part, null::int4 as position, status as outcome, null as reason, count(*)::int4 as count from read group by status
     union all
     select 'not started', null, null, null, count(*)::int4 from read where status = 'skipped' and not started
     union all
     select 'other steps', null, null, null, (select count(*) from read)::int4 - (select count(*) from own)::int4
     union all
     select 'step', position, outcome, null, count(*)::int4 from at_steps group by position, outcome
     union all
     select part, position, outcome, reason, count from ranked where place <= ${REASONS}
     order by 1, 2, 5 desc, 4`,
    [ctx.workspace.id, automationId, from, max, types, ended],
  )
