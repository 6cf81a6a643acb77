/** The report of leads by stage and source (DECISIONS.md). */
import type { z } from 'zod'
import type { Context } from '../../../../core/context.ts'
import { allowLongReads, requireCostlyRead } from '../../../../database/sql/costly-reads.ts'
import { stageIdsOf } from '../../../selling/crm/operations/pipeline.ts'
import { readPipeline } from '../../../selling/crm/operations/read-pipeline.ts'
import type { Period } from '../period.ts'
import { sumBySource, sumByStage } from '../queries/leads.ts'
import { MAX_SOURCES, type SalesReport } from '../schema.ts'

// Added in hundredths, to avoid rounding errors of binary fractions.
const sumOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + Math.round(value * 100), 0) / 100
const countOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

/** Returns the leads that were created in the period, by stage and source. Refuses `rate_limited`. */
export async function readSales(
  ctx: Context,
  { from, to, start, end }: Period,
): Promise<z.input<typeof SalesReport>> {
  await requireCostlyRead(ctx)
  await allowLongReads(ctx.tx)
  const pipeline = await readPipeline(ctx)
  const idsOfKind = (kind: string) =>
    pipeline.stages.filter((stage) => stage.kind === kind).flatMap(({ id }) => stageIdsOf(pipeline, id))
  const sums = Map.groupBy(await sumByStage(ctx, { start, end }), ({ stageId }) => stageId)
  const sources = await sumBySource(ctx, {
    start,
    end,
    wonStageIds: idsOfKind('won'),
    lostStageIds: idsOfKind('lost'),
    max: MAX_SOURCES,
  })
  const stages = pipeline.stages.map(({ id, name, kind }) => {
    // Leads of removed stages count in the replacement.
    const rows = stageIdsOf(pipeline, id).flatMap((stageId) => sums.get(stageId) ?? [])
    return {
      stageId: id,
      name,
      kind,
      leads: countOf(rows.map(({ leads }) => leads)),
      dealValue: sumOf(rows.map(({ dealValue }) => dealValue)),
      paidTotal: sumOf(rows.map(({ paidTotal }) => paidTotal)),
    }
  })
  const ofKind = (kind: string) => stages.filter((stage) => stage.kind === kind)
  const leadsIn = (rows: readonly { leads: number }[]) => countOf(rows.map(({ leads }) => leads))
  const leads = leadsIn(stages)
  return {
    from,
    to,
    timezone: ctx.workspace.timezone,
    leads,
    won: leadsIn(ofKind('won')),
    lost: leadsIn(ofKind('lost')),
    dealValue: sumOf(stages.map(({ dealValue }) => dealValue)),
    wonValue: sumOf(ofKind('won').map(({ dealValue }) => dealValue)),
    paidTotal: sumOf(stages.map(({ paidTotal }) => paidTotal)),
    byStage: stages.map((stage, i) => ({
      ...stage,
      reached:
        stage.kind === 'lost' ? stage.leads : leadsIn(stages.slice(i).filter(({ kind }) => kind !== 'lost')),
    })),
    bySource: sources,
    otherLeads: leads - leadsIn(sources),
  }
}
