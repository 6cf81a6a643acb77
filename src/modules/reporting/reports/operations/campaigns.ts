/** The report of campaigns: results, cost, and what recipients paid and ordered afterwards (DECISIONS.md). */
import type { z } from 'zod'
import { DAY_MS, later } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import { hasScope } from '../../../../core/scopes.ts'
import { moneyText } from '../../../../core/values/money.ts'
import { allowLongReads, requireCostlyRead } from '../../../../database/sql/costly-reads.ts'
import { listBroadcasts } from '../../../messaging/broadcasts/operations/read-broadcasts.ts'
import { readCampaignCosts, readResponses } from '../../campaign-results/operations/read-results.ts'
import { idBounds, type Period } from '../period.ts'
import { countOrders, listStartedIds, sumPayments } from '../queries/campaigns.ts'
import { type CampaignReport, MAX_CAMPAIGNS, RETURN_DAYS } from '../schema.ts'

const RETURN_MS = RETURN_DAYS * DAY_MS
/** A campaign can send for days: its later messages are followed too. */
const SENDING_MS = 7 * DAY_MS

/** Returns what recipients paid and ordered after their message; null for what the caller may not read. */
async function readReturns(ctx: Context, ids: string[], { start, end }: Period) {
  const following = {
    ids,
    ...idBounds(ctx, start, later(end, SENDING_MS + RETURN_MS)),
    withinMs: RETURN_MS,
  }
  const payments = hasScope(ctx, 'payments:read') ? await sumPayments(ctx, following) : null
  const orders = hasScope(ctx, 'integrations:read') ? await countOrders(ctx, following) : null
  return (id: string) => ({
    payments:
      payments
        ?.filter(({ broadcastId }) => broadcastId === id)
        .map(({ currency, payments: count, amountMinor }) => ({
          currency,
          count,
          amountMinor,
          amount: moneyText(amountMinor, currency),
        })) ?? null,
    orders: orders && (orders.find(({ broadcastId }) => broadcastId === id)?.orders ?? 0),
  })
}

/** Returns the campaigns that started in the period, with any template or one. Refuses `rate_limited`. */
export async function readCampaigns(
  ctx: Context,
  period: Period,
  templateId?: string,
): Promise<z.input<typeof CampaignReport>> {
  await requireCostlyRead(ctx)
  await allowLongReads(ctx.tx)
  const found = await listStartedIds(ctx, { ...period, templateId, max: MAX_CAMPAIGNS + 1 })
  const ids = found.slice(0, MAX_CAMPAIGNS)
  const { broadcasts } = await listBroadcasts(ctx, { ids, limit: MAX_CAMPAIGNS })
  const responsesOf = await readResponses(ctx, ids)
  const returnsOf = await readReturns(ctx, ids, period)
  const costs = hasScope(ctx, 'billing:read') ? await readCampaignCosts(ctx, ids) : null
  const byId = new Map(broadcasts.map((broadcast) => [broadcast.id, broadcast]))
  const { from, to } = period
  return {
    from,
    to,
    timezone: ctx.workspace.timezone,
    currency: costs?.currency ?? null,
    // In the order of their start.
    campaigns: ids.flatMap((id) => {
      const broadcast = byId.get(id)
      if (!broadcast?.startedAt) return []
      const { sent, delivered, read, failed } = broadcast.counts
      return [
        {
          broadcastId: id,
          name: broadcast.name,
          startedAt: broadcast.startedAt,
          sent,
          delivered,
          read,
          failed,
          ...responsesOf(id),
          ...returnsOf(id),
          cost: costs?.costOf(id) ?? null,
        },
      ]
    }),
    isPartial: found.length > MAX_CAMPAIGNS,
  }
}
