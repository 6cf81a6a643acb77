/** What a report makes of an order. Reports come in any order, and some more than once. */
import { newId } from '../../../core/ids.ts'
import type { OrderReport } from '../../../shop/port.ts'
import type { OrderKey, OrderRow } from '../queries/orders.ts'
import type { OrderType } from '../schema.ts'

export type Fired = { type: OrderType; at: Date }

/** Which column says that a fact is known. */
const TIMES = {
  order_placed: 'placedAt',
  order_paid: 'paidAt',
  order_shipped: 'shippedAt',
  order_cancelled: 'cancelledAt',
} as const satisfies Record<OrderType, keyof OrderRow>

export type Arrived = {
  key: OrderKey
  integration: string
  report: OrderReport
  /** E.164; null: none that can be read. */
  phone: string | null
}

const beginOrder = ({ key, integration, report }: Arrived, now: Date): OrderRow => ({
  ...key,
  id: newId(),
  integration,
  externalId: null,
  contactId: null,
  phone: null,
  customerName: null,
  total: null,
  currency: null,
  url: null,
  itemCount: null,
  cashOnDelivery: false,
  placedAt: null,
  paidAt: null,
  shippedAt: null,
  cancelledAt: null,
  reportedAt: report.changedAt,
  erased: false,
  createdAt: now,
})

/** What the order says as of its latest report; an older one only fills gaps. */
function saidBy(before: OrderRow, { report, phone }: Arrived): Partial<OrderRow> {
  const newer = report.changedAt >= before.reportedAt
  const later = <Value>(theirs: Value | null, ours: Value | null): Value | null =>
    newer ? (theirs ?? ours) : (ours ?? theirs)
  const person = before.erased
    ? {}
    : {
        phone: later(phone, before.phone),
        customerName: later(report.customerName, before.customerName),
        url: later(report.url, before.url),
      }
  return {
    ...person,
    externalId: later(report.externalId, before.externalId),
    total: later<string | number>(report.total, before.total),
    currency: later(report.currency, before.currency),
    itemCount: later(report.itemCount, before.itemCount),
    // It is chosen when the order is placed: until that is known, an older report says it too.
    cashOnDelivery:
      (newer || before.placedAt === null ? report.cashOnDelivery : null) ?? before.cashOnDelivery,
    reportedAt: newer ? report.changedAt : before.reportedAt,
  }
}

/** The order after a report, and which of its facts are new. */
export function orderAfter(
  known: OrderRow | undefined,
  arrived: Arrived,
  now: Date,
): { order: OrderRow; fired: Fired[] } {
  const before = known ?? beginOrder(arrived, now)
  const order = { ...before, ...saidBy(before, arrived) }
  // Somebody else is reachable there.
  if (order.phone !== before.phone) order.contactId = null
  const fired: Fired[] = []
  for (const { type, at } of arrived.report.facts) {
    const column = TIMES[type]
    if (order[column] !== null) continue
    order[column] = at
    fired.push({ type, at })
  }
  return { order, fired }
}

export type OrderStatus = 'placed' | 'paid' | 'shipped' | 'cancelled'

/** How far it has come; a cancelled one stays so whatever is heard of it later. */
export const statusOf = (order: Pick<OrderRow, 'paidAt' | 'shippedAt' | 'cancelledAt'>): OrderStatus => {
  if (order.cancelledAt) return 'cancelled'
  if (order.shippedAt) return 'shipped'
  return order.paidAt ? 'paid' : 'placed'
}
