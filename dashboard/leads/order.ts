/** The order of the cards in the columns of the board. */
import type { Lead } from '../../sdk/api.ts'
import { laterFirst, type Order } from '../api/patch-rows.ts'
import type { Sort } from './view.ts'

/** Each order as the API sorts leads. */
export const SORT_OF = {
  changed: { sort: 'updatedAt', dir: 'desc' },
  stage: { sort: 'stageChangedAt', dir: 'asc' },
  value: { sort: 'dealValue', dir: 'desc' },
  followUp: { sort: 'nextFollowUpAt', dir: 'asc' },
} as const satisfies Record<string, { sort: Sort; dir: 'asc' | 'desc' }>
export type CardOrder = keyof typeof SORT_OF
export const CARD_ORDERS = Object.keys(SORT_OF) as CardOrder[]

/** Follows every time. */
const NEVER = '~'

const COMPARE: Record<CardOrder, (a: Lead, b: Lead) => number> = {
  changed: (a, b) => laterFirst(a.updatedAt, b.updatedAt),
  stage: (a, b) => laterFirst(b.stageChangedAt, a.stageChangedAt),
  value: (a, b) => b.dealValue - a.dealValue,
  followUp: (a, b) => laterFirst(b.nextFollowUpAt ?? NEVER, a.nextFollowUpAt ?? NEVER),
}

/** How a column follows changes of its leads. A changed lead moves up if the newest change is first. */
export const columnOrder = (order: CardOrder): Order =>
  order === 'changed'
    ? { compare: COMPARE.changed, isCounted: true }
    : { place: (lead: Lead) => lead[SORT_OF[order].sort] }

/** Returns the leads with `lead` at its place among them. */
export function insertCard(leads: readonly Lead[], lead: Lead, order: CardOrder): Lead[] {
  const place = leads.findIndex((other) => COMPARE[order](lead, other) <= 0)
  return leads.toSpliced(place < 0 ? leads.length : place, 0, lead)
}
