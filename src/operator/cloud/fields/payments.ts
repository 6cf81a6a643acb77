/** Payments in the chat, from webhooks and from answers of the operator (docs/formats.md section 13). */
import {
  digitsAsText,
  idOrNull,
  isObject,
  objectsIn,
  textAsNumber,
  textOrNull,
} from '../../../core/values/storable.ts'
import type { OperatorPayment, Report } from '../../report.ts'
import { type Json, readTime, unrecognized, type ValueSource } from './webhook-value.ts'

/** Reads a whole number, or its text; null for anything else. */
function readWhole(value: unknown): number | null {
  const number = textAsNumber(value)
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null
}

/** Reads `{value, offset}` as whole paise; null for anything else. */
function readAmount(amount: unknown): number | null {
  if (!isObject(amount)) return null
  const [value, offset] = [readWhole(amount.value), readWhole(amount.offset)]
  if (value === null || offset === null || offset < 1) return null
  const paise = (value * 100) / offset
  return Number.isSafeInteger(paise) && paise >= 0 ? paise : null
}

/** A payment counts as captured only if its own transaction succeeded; an order may have many failed ones. */
function stateOf(status: unknown, transaction: Json): OperatorPayment['state'] {
  if (status === 'captured' && (transaction.status === undefined || transaction.status === 'success'))
    return 'captured'
  return transaction.status === 'failed' || status === 'failed' ? 'failed' : 'pending'
}

const refundedOf = (refunds: unknown): number =>
  objectsIn(refunds)
    .filter((refund) => refund.status === 'success')
    .reduce((sum, refund) => sum + (readAmount(refund.amount) ?? 0), 0)

/** Reads the payment from `status` and one transaction; uses `time` if the transaction has no time. */
function readPayment(
  fields: { status: unknown; amount: unknown; currency: unknown; refunds: unknown },
  transaction: Json,
  time: Date | null,
): OperatorPayment | undefined {
  const amountPaise = readAmount(fields.amount)
  const updatedAt = readTime(transaction.updated_timestamp) ?? time
  const currency = textOrNull(fields.currency)
  if (amountPaise === null || updatedAt === null || currency === null) return undefined
  const state = stateOf(fields.status, transaction)
  const method = isObject(transaction.method) ? textOrNull(transaction.method.type) : null
  const error = isObject(transaction.error) ? transaction.error : {}
  return {
    state,
    amountPaise,
    currency,
    paymentId: idOrNull(transaction.pg_transaction_id),
    method: method?.toLowerCase() ?? null,
    at: updatedAt,
    refundedPaise: refundedOf(fields.refunds),
    failure:
      state === 'failed'
        ? {
            code: textOrNull(error.code) ?? 'failed',
            message: textOrNull(error.description) ?? textOrNull(error.reason) ?? 'The payment failed.',
          }
        : null,
  }
}

/** Reads one of `value.statuses` of type `payment`, which is never a receipt of the message. */
export function readPaymentStatus(status: Json, source: ValueSource): Report {
  const details = isObject(status.payment) ? status.payment : {}
  const referenceId = idOrNull(digitsAsText(details.reference_id))
  const transaction = isObject(details.transaction) ? details.transaction : {}
  const payment = readPayment(
    { status: status.status, amount: details.amount, currency: details.currency, refunds: details.refunds },
    transaction,
    readTime(status.timestamp) ?? source.at,
  )
  if (referenceId === null || payment === undefined) return unrecognized('messages.statuses.payment')
  return { kind: 'payment', referenceId, payment }
}

/** Reads the payments of one order from the operator's answer: one for each transaction. */
export function readOrderPayments(answer: Json, referenceId: string): OperatorPayment[] {
  const orders = objectsIn(answer.payments).filter((order) => order.reference_id === referenceId)
  return orders.flatMap((order) => {
    const fields = {
      status: order.status,
      amount: order.total_amount,
      currency: order.currency,
      refunds: order.refunds,
    }
    return objectsIn(order.transactions).flatMap(
      (transaction) => readPayment(fields, transaction, null) ?? [],
    )
  })
}

/** The field `payment_configuration_update`: whether customers can pay through the configuration. */
export function readPaymentConfiguration(value: Json, source: ValueSource): Report[] {
  const name = idOrNull(value.configuration_name)
  const status = textOrNull(value.status)
  if (name === null || status === null) return []
  return [{ kind: 'payment_configuration', name, status: configurationStatus(status), at: source.at }]
}

/** The operator writes both spaces and underscores: `needs connecting`, `active`. */
export const configurationStatus = (status: string): string => status.replaceAll('_', ' ').toLowerCase()
