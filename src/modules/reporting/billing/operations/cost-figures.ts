/** Costs of messages by the rates of their days. Sums are exact; each figure is rounded once. Pure. */
import { divideRounded, minorPerUnit, moneyText } from '../../../../core/values/money.ts'
import type { PricedCount } from '../../../messaging/messages/pricing/operations.ts'
import type { Rate } from '../queries/rates.ts'

/** The rates of a workspace by market and category, latest first; null if there are none. */
export type RateCard = { currency: string; rates: ReadonlyMap<string, readonly Rate[]> } | null

const ANY_MARKET = '*'
const keyOf = (market: string, category: string): string => `${market} ${category}`

/** Returns the rate card of rates sorted latest first. */
export const rateCardOf = (currency: string | undefined, rates: readonly Rate[]): RateCard =>
  currency === undefined
    ? null
    : { currency, rates: Map.groupBy(rates, ({ market, category }) => keyOf(market, category)) }

/**
 * Returns the cost of one message on its day: the rate of its country, else the rate of all other countries.
 */
function rateOf(card: RateCard, { day, market, category }: PricedCount): bigint | undefined {
  for (const rateMarket of [market, ANY_MARKET]) {
    const rate = card?.rates.get(keyOf(rateMarket, category))?.find(({ validFrom }) => validFrom <= day)
    if (rate) return BigInt(rate.millionths)
  }
  return undefined
}

const MILLION = 1_000_000n

export type CostFigures = {
  messages: number
  free: number
  charged: number
  unpriced: number
  costMinor: number | null
  cost: string | null
}

/** Returns the cost figures of counts. */
export function figuresOf(counts: readonly PricedCount[], card: RateCard): CostFigures {
  const sums = { free: 0, charged: 0, unpriced: 0 }
  let millionths = 0n
  for (const count of counts) {
    const rate = count.billing === 'charged' ? rateOf(card, count) : undefined
    const kind = count.billing === 'free' ? 'free' : rate === undefined ? 'unpriced' : 'charged'
    sums[kind] += count.messages
    if (rate !== undefined) millionths += rate * BigInt(count.messages)
  }
  const isKnown = card !== null && (sums.charged > 0 || sums.unpriced === 0)
  const costMinor = isKnown ? Number(divideRounded(millionths * minorPerUnit(card.currency), MILLION)) : null
  return {
    messages: sums.free + sums.charged + sums.unpriced,
    ...sums,
    costMinor,
    cost: costMinor === null ? null : moneyText(costMinor, card!.currency),
  }
}
