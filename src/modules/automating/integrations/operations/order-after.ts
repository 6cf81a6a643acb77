/** Applies a report to an order. Reports arrive in any order, and some more than once. */
import { newId } from '../../../../core/ids.ts'
import type { OrderReport } from '../../../../shop/port.ts'
import type { OrderType } from '../order-schema.ts'
import type { OrderKey, OrderRow } from '../queries/orders.ts'

export type FiredEvent = { type: OrderType; at: Date }

/** The column with the time of each fact. */
const TIMES = {
  order_placed: 'placedAt',
  order_paid: 'paidAt',
  order_shipped: 'shippedAt',
  order_cancelled: 'cancelledAt',
} as const satisfies Record<OrderType, keyof OrderRow>

export type ArrivedReport = {
  key: OrderKey
  integration: string
  report: OrderReport
  /** E.164; null if no number is readable. */
  phone: string | null
}

const beginOrder = ({ key, integration, report }: ArrivedReport, now: Date): OrderRow => ({
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
  openAt: null,
  reportedAt: report.changedAt,
  erased: false,
  createdAt: now,
})

const latest = (first: Date | null, other: Date | null): Date | null =>
  first === null || (other !== null && other > first) ? other : first

/** Returns the order's data from its latest report. An older report only fills gaps. */
function dataAfter(before: OrderRow, { report, phone }: ArrivedReport): Partial<OrderRow> {
  const newer = report.changedAt >= before.reportedAt
  const later = <Value>(reportedValue: Value | null, ours: Value | null): Value | null =>
    newer ? (reportedValue ?? ours) : (ours ?? reportedValue)
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
    total: later(report.total, before.total),
    currency: later(report.currency, before.currency),
    itemCount: later(report.itemCount, before.itemCount),
    // The payment method is chosen when the order is placed. Until that is known, an older report can set it.
    cashOnDelivery:
      (newer || before.placedAt === null ? report.cashOnDelivery : null) ?? before.cashOnDelivery,
    openAt: latest(before.openAt, report.openAt),
    reportedAt: newer ? report.changedAt : before.reportedAt,
  }
}

/** Returns the order after a report, and the new facts. */
export function orderAfter(
  existing: OrderRow | undefined,
  arrived: ArrivedReport,
  now: Date,
): { order: OrderRow; fired: FiredEvent[] } {
  const before = existing ?? beginOrder(arrived, now)
  const order = { ...before, ...dataAfter(before, arrived) }
  // The new number can belong to another person.
  if (order.phone !== before.phone) order.contactId = null
  const firedEvents: FiredEvent[] = []
  for (const { type, at } of arrived.report.facts) {
    const column = TIMES[type]
    if (order[column] === null) firedEvents.push({ type, at })
    // A repeated fact fires no event. Its latest time decides whether it came after a cancellation.
    order[column] = type === 'order_placed' ? (order[column] ?? at) : latest(order[column], at)
  }
  return { order, fired: firedEvents }
}

export type OrderStatus = 'placed' | 'paid' | 'shipped' | 'cancelled'

type Times = Pick<OrderRow, 'paidAt' | 'shippedAt' | 'cancelledAt' | 'openAt'>

/**
 * Returns the status by the latest facts, in any order of reports. After a cancellation, only later facts
 * count.
 */
export function statusOf({ cancelledAt, ...times }: Times): OrderStatus {
  const counts = (time: Date | null): boolean => time !== null && (cancelledAt === null || time > cancelledAt)
  if (counts(times.shippedAt)) return 'shipped'
  if (counts(times.paidAt)) return 'paid'
  return cancelledAt === null || counts(times.openAt) ? 'placed' : 'cancelled'
}

const isPaidLate = ({ paidAt, cancelledAt }: Times): boolean =>
  paidAt !== null && cancelledAt !== null && paidAt > cancelledAt

/**
 * Returns whether a report adds a payment that is easily overlooked: the order was cancelled before the
 * payment or its report.
 */
export const becamePaidLate = (before: Times | undefined, after: Times, firedEvents: FiredEvent[]): boolean =>
  (isPaidLate(after) && !(before && isPaidLate(before))) ||
  (before !== undefined &&
    statusOf(before) === 'cancelled' &&
    firedEvents.some(({ type }) => type === 'order_paid'))
