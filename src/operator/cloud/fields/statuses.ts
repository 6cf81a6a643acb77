import { digitsAsText, idOrNull, isObject, objectsIn, textOrNull } from '../../../core/values/storable.ts'
import { classifyError, UNEXPLAINED } from '../../error-classes.ts'
import type { OperatorError } from '../../port.ts'
import type { Customer, Pricing, ReceiptStatus, Report } from '../../report.ts'
import { isOfGroup, ofGroup } from './groups.ts'
import { readPaymentStatus } from './payments.ts'
import {
  contactOf,
  type Json,
  readCustomer,
  readTime,
  unrecognized,
  type ValueSource,
} from './webhook-value.ts'

// Voice notes report "played" instead of "read" (docs/formats.md section 9).
const receiptStatuses = new Map<unknown, ReceiptStatus>([
  ['sent', 'sent'],
  ['delivered', 'delivered'],
  ['read', 'read'],
  ['played', 'read'],
  ['failed', 'failed'],
])

/** Reads one of the `total` statuses of a value. */
export function readStatus(
  status: Json,
  value: Json,
  { total, source }: { total: number; source: ValueSource },
): Report {
  if (isOfGroup(status)) return ofGroup('messages.statuses')
  const name = receiptStatuses.get(status.status)
  const chanmid = idOrNull(status.id)
  const time = readTime(status.timestamp) ?? source.at
  if (status.type === 'payment') return readPaymentStatus(status, source)
  // Only a plain status is about the message itself.
  if (status.type !== undefined && status.type !== 'message')
    return unrecognized(`messages.statuses.${textOrNull(status.type) ?? 'unknown'}`)
  if (name === undefined || chanmid === null) return unrecognized('messages.statuses')
  return {
    kind: 'receipt',
    chanmid,
    callbackData: idOrNull(status.biz_opaque_callback_data),
    recipient: idOrNull(digitsAsText(status.recipient_id)) ?? idOrNull(status.recipient_user_id),
    customer: readRecipient(status, value, total),
    status: name,
    at: time,
    errors: name === 'failed' ? failureReasons(status) : [],
    pricing: readPricing(status.pricing),
  }
}

function failureReasons(status: Json): OperatorError[] {
  const errors = objectsIn(status.errors).map(classifyError)
  return errors.length > 0 ? errors : [UNEXPLAINED]
}

function readRecipient(status: Json, value: Json, total: number): Customer | null {
  const of = { waId: status.recipient_id, userId: status.recipient_user_id }
  const customer = readCustomer(of, contactOf(value, of, total))
  return customer && customer.userId !== null ? customer : null
}

function readPricing(value: unknown): Pricing | null {
  if (!isObject(value)) return null
  return {
    billable: typeof value.billable === 'boolean' ? value.billable : null,
    category: textOrNull(value.category),
    type: textOrNull(value.type),
    model: textOrNull(value.pricing_model),
  }
}
