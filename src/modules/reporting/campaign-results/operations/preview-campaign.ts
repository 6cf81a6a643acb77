/** Previews a campaign with its expected cost (DECISIONS.md "The expected cost"). */
import type { Context } from '../../../../core/context.ts'
import { hasScope } from '../../../../core/scopes.ts'
import { dayOf } from '../../../../core/values/calendar.ts'
import {
  type Audience,
  countRecipientsByPrefix,
  previewBroadcast,
} from '../../../messaging/broadcasts/operations/preview-broadcast.ts'
import { isCharged, pricedCountOf, recipientOf } from '../../../messaging/messages/pricing/operations.ts'
import { figuresOf } from '../../billing/operations/cost-figures.ts'
import { readRateCard } from '../../billing/operations/costs.ts'
import type { BroadcastPreview } from '../preview-schema.ts'

/** Returns the expected charges for an audience, in total and by country, by the rates of the day of sending. */
async function expectCost(ctx: Context, audience: Audience) {
  const { category, at, sendsAt = at } = audience
  const day = dayOf(sendsAt, ctx.workspace.timezone)
  const [card, prefixes] = [await readRateCard(ctx, day), await countRecipientsByPrefix(ctx, audience)]
  const counts = prefixes.map(({ phone, windowOpen, people }) => ({
    ...pricedCountOf(
      { category, billable: isCharged(category, windowOpen) },
      { day, recipient: recipientOf(phone) },
    ),
    messages: people,
  }))
  const byMarket = Map.groupBy(counts, ({ market }) => market)
  return {
    currency: card?.currency ?? null,
    cost: figuresOf(counts, card),
    costByMarket: [...byMarket]
      .map(([market, marketCounts]) => ({ market, ...figuresOf(marketCounts, card) }))
      .sort((a, b) => b.messages - a.messages || (a.market < b.market ? -1 : 1)),
  }
}

/** Returns what a campaign would do and cost. Refuses like `previewBroadcast`. */
export async function previewCampaign(ctx: Context, plan: BroadcastPreview) {
  const { preview, audience } = await previewBroadcast(ctx, plan)
  const expected = hasScope(ctx, 'billing:read')
    ? await expectCost(ctx, audience)
    : { currency: null, cost: null, costByMarket: [] }
  return { ...preview, ...expected }
}
