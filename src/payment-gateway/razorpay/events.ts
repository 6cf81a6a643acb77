/** The gateway's webhooks as reports (docs/formats.md section 15). */
import { idOrNull, isObject, textOrNull } from '../../core/storable.ts'
import type { GatewayReport } from '../port.ts'
import { readPayment } from './entities.ts'
import type { Json } from './line.ts'

/** The note by which our links, and the operator's orders, name the payment request. */
const REQUEST_NOTE = 'payment_request_id'

/** What each event is read by; the others are not acted on. */
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

/** The reports of one webhook body. Any JSON value is accepted; what is not understood becomes `unrecognised`. */
export function readGatewayEvent(body: unknown): GatewayReport[] {
  const event = isObject(body) ? body : {}
  const reports = readers.get(event.event)?.(isObject(event.payload) ? event.payload : {}) ?? []
  return reports.length > 0
    ? reports
    : [{ kind: 'unrecognised', event: textOrNull(event.event) ?? 'unknown' }]
}

function entityOf(payload: Json, name: string): Json {
  const held = payload[name]
  return isObject(held) && isObject(held.entity) ? held.entity : {}
}

/** The payment request that an order or a payment was made for. */
export const notedRequest = (entity: Json): string | null =>
  isObject(entity.notes) ? idOrNull(entity.notes[REQUEST_NOTE]) : null

/** Our links carry our id as their reference, orders and payments as a note. Others' carry anything, or nothing. */
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
  // It may come before the payment's own report. What was given back in all is asked for.
  const paid = readPaid(payload).map((report) =>
    report.kind === 'payment' ? { ...report, payment: { ...report.payment, refundedPaise: 0 } } : report,
  )
  return [...paid, { kind: 'refund', paymentId }]
}
