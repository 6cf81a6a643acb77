/** Statements on the leads that were created in a period, over `leads_created`. */
import type { Selectable } from 'kysely'
import type { Context } from '../../../../core/context.ts'
import type { Tables } from '../../../../database/sql/tables.ts'

type LeadRow = Selectable<Tables['leads']>
type Created = { start: Date; end: Date }
type Sums = Pick<LeadRow, 'dealValue'> & { paidTotal: LeadRow['paidTotal']; leads: number }

const CREATED = 'workspace_id = $1 and created_at >= $2 and created_at < $3'

export type StageSum = Pick<LeadRow, 'stageId'> & Sums

/** Returns the leads of a period by their current stage. */
export const sumByStage = (ctx: Context, { start, end }: Created): Promise<StageSum[]> =>
  ctx.tx.sql(
    `select stage_id, count(*) as leads, sum(deal_value)::float8 as deal_value, sum(paid_total)::float8 as paid_total
     from leads where ${CREATED} group by stage_id`,
    [ctx.workspace.id, start, end],
  )

export type SourceSum = Pick<LeadRow, 'source'> & Sums & { won: number; lost: number; wonValue: number }

/** Returns the leads of a period by source: the `max` sources with the most leads. */
export const sumBySource = (
  ctx: Context,
  {
    start,
    end,
    wonStageIds,
    lostStageIds,
    max,
  }: Created & { wonStageIds: string[]; lostStageIds: string[]; max: number },
): Promise<SourceSum[]> =>
  ctx.tx.sql(
    `select source, count(*) as leads, sum(deal_value)::float8 as deal_value, sum(paid_total)::float8 as paid_total,
            count(*) filter (where stage_id = any($4::uuid[])) as won,
            count(*) filter (where stage_id = any($5::uuid[])) as lost,
            coalesce(sum(deal_value) filter (where stage_id = any($4::uuid[])), 0)::float8 as won_value
     from leads where ${CREATED} group by source order by count(*) desc, source nulls last limit $6`,
    [ctx.workspace.id, start, end, wonStageIds, lostStageIds, max],
  )
