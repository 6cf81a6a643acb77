import { idOrNull, isObject, objectsIn, textOrNull } from '../../../core/storable.ts'
import { classifyError } from '../../error-classes.ts'
import type { Pricing, ReceiptStatus, Report } from '../../report.ts'
import { readPaymentStatus } from './payments.ts'
import { type Json, readTime, unrecognised } from './webhook-value.ts'

// Played is what a voice note says instead of read (docs/formats.md section 9).
const receiptStatuses = new Map<unknown, ReceiptStatus>([
  ['sent', 'sent'],
  ['delivered', 'delivered'],
  ['read', 'read'],
  ['played', 'read'],
  ['failed', 'failed'],
])

/** One of `value.statuses`. */
export function readStatus(status: Json): Report {
  const name = receiptStatuses.get(status.status)
  const chanmid = idOrNull(status.id)
  const at = readTime(status.timestamp)
  if (status.type === 'payment') return readPaymentStatus(status)
  // Only a plain status is about the message itself.
  if (status.type !== undefined && status.type !== 'message')
    return unrecognised(`messages.statuses.${textOrNull(status.type) ?? 'unknown'}`)
  if (name === undefined || chanmid === null || at === null) return unrecognised('messages.statuses')
  return {
    kind: 'receipt',
    chanmid,
    callbackData: idOrNull(status.biz_opaque_callback_data),
    recipient: idOrNull(status.recipient_id) ?? idOrNull(status.recipient_user_id),
    status: name,
    at,
    errors: name === 'failed' ? objectsIn(status.errors).map(classifyError) : [],
    pricing: readPricing(status.pricing),
  }
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
