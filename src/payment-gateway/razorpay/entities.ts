/**
 * Reads the gateway's entities from answers and webhooks without trusting them: invalid values are omitted.
 */
import { idOrNull, isObject, objectsIn, textAsNumber, textOrNull } from '../../core/values/storable.ts'
import type { GatewayPayment, LinkStatus, PaymentLink } from '../port.ts'
import type { Json } from './line.ts'

const END_OF_TIME_SECONDS = 253_402_300_799

/** Reads seconds since 1970, a number or its text. */
function readSeconds(value: unknown): Date | null {
  const seconds = textAsNumber(value)
  const isTime = typeof seconds === 'number' && seconds > 0 && seconds <= END_OF_TIME_SECONDS
  return isTime ? new Date(seconds * 1000) : null
}

/** Reads whole paise, a number or its text; null for anything else. */
export function readPaise(value: unknown): number | null {
  const number = textAsNumber(value)
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : null
}

const STATES = new Map<unknown, GatewayPayment['state']>([
  ['created', 'pending'],
  ['authorized', 'pending'],
  ['captured', 'captured'],
  // A refunded payment was captured before.
  ['refunded', 'captured'],
  ['failed', 'failed'],
])

/** Reads a payment. In a link's list its id is `payment_id`, and its currency is the link's. */
export function readPayment(entity: Json, linkCurrency = ''): GatewayPayment | undefined {
  const id = idOrNull(entity.id) ?? idOrNull(entity.payment_id)
  const state = STATES.get(entity.status)
  const amountPaise = readPaise(entity.amount)
  const time = readSeconds(entity.created_at)
  if (id === null || state === undefined || amountPaise === null || time === null) return undefined
  const message = textOrNull(entity.error_description) ?? textOrNull(entity.error_reason)
  return {
    id,
    amountPaise,
    currency: textOrNull(entity.currency) ?? linkCurrency,
    state,
    method: textOrNull(entity.method)?.toLowerCase() ?? null,
    at: time,
    refundedPaise: readPaise(entity.amount_refunded) ?? 0,
    failure:
      state === 'failed'
        ? { code: textOrNull(entity.error_code) ?? 'failed', message: message ?? 'The payment failed.' }
        : null,
  }
}

const LINK_STATUSES: LinkStatus[] = ['created', 'partially_paid', 'paid', 'expired', 'cancelled']

export function readLink(entity: Json): PaymentLink | undefined {
  const id = idOrNull(entity.id)
  const url = textOrNull(entity.short_url)
  const status = LINK_STATUSES.find((known) => known === entity.status)
  const amountPaise = readPaise(entity.amount)
  if (id === null || url === null || status === undefined || amountPaise === null) return undefined
  // Some versions write a single payment as an object.
  const payments = isObject(entity.payments) ? [entity.payments] : objectsIn(entity.payments)
  return {
    id,
    url,
    reference: idOrNull(entity.reference_id),
    status,
    amountPaise,
    payments: payments.flatMap((payment) => readPayment(payment, textOrNull(entity.currency) ?? '') ?? []),
  }
}
