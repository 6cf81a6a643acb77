import { classifyError } from '../error-classes.ts'
import type { InboundMessage, NumberReports, ReceiptStatus, Report } from '../port.ts'
import { idOrNull, isObject, objectsIn, storableJson, textOrNull } from '../storable.ts'

type Json = Record<string, unknown>

// Played is what a voice note says instead of read (FORMATS section 9).
const receiptStatuses = new Map<unknown, ReceiptStatus>([
  ['sent', 'sent'],
  ['delivered', 'delivered'],
  ['read', 'read'],
  ['played', 'read'],
  ['failed', 'failed'],
])

// Notices about a customer that arrive as messages although the customer wrote nothing: they open no window.
const notices = new Set(['system', 'request_welcome'])

/**
 * Translates a whole webhook body into reports, grouped by the operator's id of the number they concern ('' for
 * what concerns an account). All entries and changes are read. Any JSON value is accepted; what is not understood
 * becomes `unrecognised`, and nothing throws. (FORMATS sections 8 to 11)
 */
export function readWebhook(body: unknown): NumberReports[] {
  const byNumber = new Map<string, NumberReports>()
  for (const entry of objectsIn(isObject(body) ? body.entry : undefined)) {
    for (const change of objectsIn(entry.changes)) {
      const { operatorId, reports } = readWebhookValue(change.field, change.value)
      const known = byNumber.get(operatorId)
      if (known === undefined) byNumber.set(operatorId, { operatorId, reports })
      else for (const report of reports) known.reports.push(report)
    }
  }
  return [...byNumber.values()]
}

/** The reports of one change: the webhook's `field` and its `value`. Same promises as `readWebhook`. */
export function readWebhookValue(field: unknown, value: unknown): NumberReports {
  const content = isObject(value) ? value : {}
  const metadata = isObject(content.metadata) ? content.metadata : {}
  const operatorId = idOrNull(metadata.phone_number_id) ?? ''
  if (field !== 'messages') return { operatorId, reports: [unrecognised(textOrNull(field) ?? 'unknown')] }
  const contacts = objectsIn(content.contacts)
  const messages = objectsIn(content.messages)
  const reports: Report[] = [
    ...messages.map((message) => readMessage(message, contactOf(message, contacts, messages.length))),
    ...objectsIn(content.statuses).map(readStatus),
  ]
  // Errors beside a message belong to it; alone they concern the account.
  if (reports.length === 0) reports.push(unrecognised('errors' in content ? 'messages.errors' : 'messages'))
  return { operatorId, reports }
}

function readStatus(status: Json): Report {
  const name = receiptStatuses.get(status.status)
  const chanmid = idOrNull(status.id)
  const at = readTime(status.timestamp)
  // Only a plain status is about the message itself: type "payment" is the state of a payment.
  if (status.type !== undefined && status.type !== 'message')
    return unrecognised(`messages.statuses.${textOrNull(status.type) ?? 'unknown'}`)
  if (name === undefined || chanmid === null || at === null) return unrecognised('messages.statuses')
  return {
    kind: 'receipt',
    chanmid,
    callbackData: idOrNull(status.biz_opaque_callback_data),
    status: name,
    at,
    errors: name === 'failed' ? objectsIn(status.errors).map(classifyError) : [],
  }
}

function readMessage(message: Json, contact: Json): Report {
  const type = idOrNull(message.type)
  const chanmid = idOrNull(message.id)
  const at = readTime(message.timestamp)
  if (type === null || chanmid === null || at === null) return unrecognised('messages.messages')
  if (notices.has(type)) return unrecognised(`messages.${type}`)
  const phone = readPhone(message.from) ?? readPhone(contact.wa_id)
  const userId = idOrNull(message.from_user_id) ?? idOrNull(contact.user_id)
  if (phone === null && userId === null) return unrecognised('messages.messages')
  const profile = isObject(contact.profile) ? contact.profile : {}
  const context = isObject(message.context) ? message.context : {}
  const inbound: InboundMessage = {
    kind: 'inbound',
    chanmid,
    phone,
    userId,
    username: textOrNull(profile.username),
    profileName: textOrNull(profile.name),
    at,
    type,
    content: contentOf(message, type),
    replyTo: idOrNull(context.id),
  }
  return inbound
}

// Shared contacts are a list, and every content is an object: they keep their key. A type may come without payload.
function contentOf(message: Json, type: string): Json {
  const payload = Object.hasOwn(message, type) ? storableJson(message[type]) : undefined
  if (Array.isArray(payload)) return { [type]: payload }
  return isObject(payload) ? payload : {}
}

function contactOf(message: Json, contacts: Json[], messageCount: number): Json {
  const own = contacts.find(
    (contact) =>
      (message.from !== undefined && contact.wa_id === message.from) ||
      (message.from_user_id !== undefined && contact.user_id === message.from_user_id),
  )
  // The operator may spell the same number in two ways; with one of each there is no doubt whose it is.
  return own ?? (contacts.length === 1 && messageCount === 1 ? contacts[0]! : {})
}

function readPhone(value: unknown): string | null {
  const match = typeof value === 'string' ? /^\+?([1-9]\d{4,14})$/.exec(value) : null
  return match ? `+${match[1]}` : null
}

const endOfTimeSeconds = 253_402_300_799

// Seconds since 1970, as text in messages and statuses.
function readTime(value: unknown): Date | null {
  const seconds = typeof value === 'string' && /^\d{1,12}$/.test(value) ? Number(value) : value
  if (typeof seconds !== 'number' || !(seconds >= 0 && seconds <= endOfTimeSeconds)) return null
  return new Date(seconds * 1000)
}

const unrecognised = (field: string): Report => ({ kind: 'unrecognised', field })
