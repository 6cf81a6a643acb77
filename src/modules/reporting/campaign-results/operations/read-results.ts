/** The results of a campaign: counts with rates, failures by cause, and cost (DECISIONS.md). */
import type { z } from 'zod'
import type { Context } from '../../../../core/context.ts'
import { hasScope } from '../../../../core/scopes.ts'
import { dayOf } from '../../../../core/values/calendar.ts'
import { allowLongReads, MANY_ROWS, requireCostlyRead } from '../../../../database/sql/costly-reads.ts'
import { classifyError } from '../../../../operator/error-classes.ts'
import { compareVariants } from '../../../messaging/broadcasts/operations/compare-variants.ts'
import { getBroadcast, readVariantResults } from '../../../messaging/broadcasts/operations/read-broadcasts.ts'
import { RESULT_HOURS } from '../../../messaging/broadcasts/operations/response-rule.ts'
import { pricedCountOf } from '../../../messaging/messages/pricing/operations.ts'
import { figuresOf } from '../../billing/operations/cost-figures.ts'
import { readRateCard } from '../../billing/operations/costs.ts'
import {
  countResponses,
  listCampaignFailures,
  listCampaignSkips,
  listPricedGroups,
  type Responses,
} from '../queries.ts'
import { type BroadcastResults, COMPARED } from '../schema.ts'

const DECIMALS = 10_000

/** Returns a share from 0 to 1 with four decimals; null without a whole. */
const shareOf = (count: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((count / whole) * DECIMALS) / DECIMALS

/** Returns the charges for the delivered messages of campaigns, by the rates of the days of their delivery. */
export async function readCampaignCosts(ctx: Context, broadcastIds: string[]) {
  const groups = await listPricedGroups(ctx, broadcastIds)
  const card = await readRateCard(ctx, dayOf(ctx.now, ctx.workspace.timezone))
  const byCampaign = Map.groupBy(groups, ({ broadcastId }) => broadcastId)
  const countsOf = (broadcastId: string) =>
    (byCampaign.get(broadcastId) ?? []).map(({ day, recipient, category, billable, messages }) => ({
      ...pricedCountOf({ category, billable }, { day, recipient }),
      messages,
    }))
  return {
    currency: card?.currency ?? null,
    costOf: (broadcastId: string) => figuresOf(countsOf(broadcastId), card),
  }
}

const NO_RESPONSES: Responses = { replied: 0, tapped: 0, optedOut: 0 }

/** Returns the responses to campaigns within 72 hours, as a function of the campaign's id. */
export async function readResponses(
  ctx: Context,
  broadcastIds: string[],
): Promise<(broadcastId: string) => Responses> {
  const rows = await countResponses(ctx, broadcastIds, RESULT_HOURS)
  const byId = new Map(rows.map((row) => [row.broadcastId, row]))
  return (broadcastId) => byId.get(broadcastId) ?? NO_RESPONSES
}

const resultOf = (sent: number) => (count: number) => ({ count, rate: shareOf(count, sent) })

const NOTHING = {
  messages: 0,
  sent: 0,
  delivered: 0,
  read: 0,
  failed: 0,
  replied: 0,
  tapped: 0,
  optedOut: 0,
}

type Variants = NonNullable<Awaited<ReturnType<typeof getBroadcast>>['test']>['variants']

/** Returns the results of each variant in the sample, and their comparisons; empty lists without variants. */
async function compareResults(ctx: Context, broadcastId: string, variants: Variants) {
  if (variants.length === 0) return { variants: [], comparisons: [] }
  const found = await readVariantResults(ctx, broadcastId)
  const counted = variants.map(({ name, templateName }) => ({
    name,
    templateName,
    counts: found.find((counts) => counts.name === name) ?? NOTHING,
  }))
  return {
    variants: counted.map(({ name, templateName, counts }) => {
      const result = resultOf(counts.sent)
      return {
        name,
        templateName,
        messages: counts.messages,
        sent: { count: counts.sent, rate: shareOf(counts.sent, counts.messages) },
        delivered: result(counts.delivered),
        read: result(counts.read),
        replied: result(counts.replied),
        tapped: result(counts.tapped),
        optedOut: result(counts.optedOut),
        failed: result(counts.failed),
      }
    }),
    comparisons: COMPARED.map((metric) => {
      const measured = counted.map(({ counts }, i) => ({
        number: i + 1,
        sent: counts.sent,
        hits: counts[metric],
      }))
      const { leader, isTie, certainty } = compareVariants(measured)
      return { metric, leader: isTie ? null : counted[leader - 1]!.name, certainty }
    }),
  }
}

/**
 * Returns the results of a campaign. Refuses `not_found`, and `rate_limited` while too many requests read large campaigns.
 */
export async function readBroadcastResults(
  ctx: Context,
  ref: string,
): Promise<z.input<typeof BroadcastResults>> {
  const { id, counts, test } = await getBroadcast(ctx, ref)
  if (counts.queued > MANY_ROWS) await requireCostlyRead(ctx)
  await allowLongReads(ctx.tx)
  const responses = (await readResponses(ctx, [id]))(id)
  const failures = await listCampaignFailures(ctx, id)
  const skips = await listCampaignSkips(ctx, id)
  const costs = hasScope(ctx, 'billing:read') ? await readCampaignCosts(ctx, [id]) : null
  const result = resultOf(counts.sent)
  return {
    broadcastId: id,
    messages: counts.queued,
    sent: { count: counts.sent, rate: shareOf(counts.sent, counts.queued) },
    delivered: result(counts.delivered),
    read: result(counts.read),
    replied: result(responses.replied),
    tapped: result(responses.tapped),
    optedOut: result(responses.optedOut),
    failed: result(counts.failed),
    failures: failures.map(({ code, title, count }) => ({
      code,
      title,
      category: classifyError({ code, title }).category,
      ...result(count),
    })),
    skips: skips.map(({ skipReason, count }) => ({ reason: skipReason ?? 'unknown', count })),
    ...(await compareResults(ctx, id, test?.variants ?? [])),
    currency: costs?.currency ?? null,
    cost: costs?.costOf(id) ?? null,
  }
}
