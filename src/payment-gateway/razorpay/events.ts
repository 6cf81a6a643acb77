/** Reads the gateway's webhooks as reports (docs/formats.md section 15). */
import { idOrNull, isObject, textOrNull } from '../../core/values/storable.ts'
import type { GatewayReport } from '../port.ts'
import { readPayment } from './entities.ts'
import type { Json } from './line.ts'

/** The note with which our links, and the operator's orders, name the payment request. */
const REQUEST_NOTE = 'payment_request_id'

/** The reader of each event; other events are not processed. */
const readers = new Map<unknown, (payload: Json) => GatewayReport[]>([
  ['payment_link.paid', readPaid],
  ['payment_link.partially_paid', readPaid],
  ['payment_link.expired', (payload) => readEnded(payload, 'expired')],
  ['payment_link.cancelled', (payload) => readEnded(payload, 'cancelled')],
  ['order.paid', readPaid],
  ['payment.authorized', readPaid],
  ['payment.captured', readPaid],
  ['payment.failed', readPaid],
  ['refund.created', readRefund],
  ['refund.processed', readRefund],
  ['refund.failed', readRefund],
])

/**
 * Returns the reports of one webhook body. Accepts any JSON value; unknown content becomes `unrecognized`.
 */
export function readGatewayEvent(body: unknown): GatewayReport[] {
  const event = isObject(body) ? body : {}
  const reports = readers.get(event.event)?.(isObject(event.payload) ? event.payload : {}) ?? []
  return reports.length > 0
    ? reports
    : [{ kind: 'unrecognized', event: textOrNull(event.event) ?? 'unknown' }]
}

function entityOf(payload: Json, name: string): Json {
  const held = payload[name]
  return isObject(held) && isObject(held.entity) ? held.entity : {}
}

/** Returns the payment request that an order or a payment was created for. */
export const notedRequest = (entity: Json): string | null =>
  isObject(entity.notes) ? idOrNull(entity.notes[REQUEST_NOTE]) : null

/**
 * Our links have our id as reference, orders and payments as a note. Other sellers' have anything, or
 * nothing.
 */
const requestOf = (payload: Json): string | null =>
  idOrNull(entityOf(payload, 'payment_link').reference_id) ??
  notedRequest(entityOf(payload, 'payment')) ??
  notedRequest(entityOf(payload, 'order'))

function readPaid(payload: Json): GatewayReport[] {
  const requestId = requestOf(payload)
  const payment = readPayment(entityOf(payload, 'payment'))
  return requestId !== null && payment ? [{ kind: 'payment', requestId, payment }] : []
}

function readEnded(payload: Json, status: 'expired' | 'cancelled'): GatewayReport[] {
  const requestId = requestOf(payload)
  return requestId === null ? [] : [{ kind: 'link', requestId, status }]
}

function readRefund(payload: Json): GatewayReport[] {
  const paymentId =
    idOrNull(entityOf(payload, 'refund').payment_id) ?? idOrNull(entityOf(payload, 'payment').id)
  if (paymentId === null) return []
  // A refund may arrive before the payment's own report. The refunded total is requested later.
  const paid = readPaid(payload).map((report) =>
    report.kind === 'payment' ? { ...report, payment: { ...report.payment, refundedPaise: 0 } } : report,
  )
  return [...paid, { kind: 'refund', paymentId }]
}
