/** Counts of messages by price, from the operator's reports (src/modules/reporting/billing/DECISIONS.md). */

import type { Context, Unit } from '../../../../core/context.ts'
import { newId } from '../../../../core/ids.ts'
import { dayOf } from '../../../../core/values/calendar.ts'
import { countryOf } from '../../../../core/values/phone.ts'
import type { Pricing } from '../../../../operator/port.ts'
import { type Billing, insertPricedDeltas, type PricedCount } from './queries.ts'

export { listPricedCounts, type PricedCount } from './queries.ts'

/** A message that arrived, with the operator's price data. `recipient`: digits of a number, or a user id. */
export type PricedMessage = { ctx: Context; pricing: Pricing; recipient: string | null }

const MAX_CATEGORY = 40
const UNKNOWN = 'unknown'

const billingOf = ({ billable }: Pick<Pricing, 'billable'>): Billing =>
  billable === null ? UNKNOWN : billable ? 'charged' : 'free'

/**
 * Returns whether the operator charges for a template by its published rules: utility templates in an open window are free.
 * Its reports decide afterwards.
 */
export const isCharged = (category: string, isWindowOpen: boolean): boolean =>
  category.toLowerCase() !== 'utility' || !isWindowOpen

/** Returns the recipient of a price report for a contact's number or id, as digits or a user id. */
export const recipientOf = (phone: string): string => phone.replace(/^([+]|chan:)/, '')

/** Returns the kind of a message by its price data, as the counts have it. */
export const pricedCountOf = (
  pricing: Pick<Pricing, 'billable' | 'category'>,
  { day, recipient }: { day: string; recipient: string | null },
): Omit<PricedCount, 'messages'> => ({
  day,
  market: countryOf(recipient),
  category: pricing.category?.toLowerCase().slice(0, MAX_CATEGORY) || UNKNOWN,
  billing: billingOf(pricing),
})

/**
 * Counts messages in the transaction that stores their price, in one row for each workspace, market, category
 * and kind.
 */
export async function recordPriced(unit: Unit, priced: PricedMessage[]): Promise<void> {
  if (priced.length === 0) return
  const counts = new Map<string, PricedCount & { workspaceId: string; id: string }>()
  for (const { ctx, pricing, recipient } of priced) {
    const place = {
      workspaceId: ctx.workspace.id,
      ...pricedCountOf(pricing, { day: dayOf(ctx.now, ctx.workspace.timezone), recipient }),
    }
    const key = Object.values(place).join(' ')
    const count = counts.get(key) ?? { ...place, id: newId(), messages: 0 }
    count.messages++
    counts.set(key, count)
  }
  await insertPricedDeltas(unit.tx, [...counts.values()])
}
