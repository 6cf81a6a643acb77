import { createHash, randomUUID } from 'node:crypto'
import { DAY_MS, later, SECOND_MS } from '../../core/clock.ts'
import { classifyError } from '../error-classes.ts'
import type { Recipient } from './recipients.ts'
import type { SimulatedNumber } from './store.ts'

/** Returns a new channel message id: `wamid.` and base64, unique. It does not contain the recipient. */
export function newChannelMessageId(): string {
  const text = randomUUID().replaceAll('-', '').toUpperCase()
  return `wamid.${Buffer.from(text, 'latin1').toString('base64')}`
}

/** One update of an account: the webhook's field and its value. */
export type Change = { accountId: string; field: string; value: unknown }

/**
 * Returns the body of a webhook with these updates, one entry for each account (docs/formats.md sections 8
 * and 10).
 */
export function webhookBody(changes: Change[], time: Date): unknown {
  const byAccount = Map.groupBy(changes, ({ accountId }) => accountId)
  return {
    object: 'whatsapp_business_account',
    entry: [...byAccount].map(([id, updates]) => ({
      id,
      time: Math.floor(time.getTime() / SECOND_MS),
      changes: updates.map(({ field, value }) => ({ field, value })),
    })),
  }
}

/**
 * The price of a message: its `category` in lower case; `service` for a reply within the window, which is
 * free.
 */
export type Pricing = { category: string; billable: boolean }

/** A status of a sent message. */
export type StatusOf = {
  number: SimulatedNumber
  recipient: Recipient
  chanmid: string
  callbackData: string | undefined
  pricing: Pricing
  /** The message replies to a customer who came through an ad. */
  freeEntry: boolean
}

/** Returns the webhook `value` of sent, delivered, or read (docs/formats.md section 9). */
export function statusValue(of: StatusOf, status: 'sent' | 'delivered' | 'read', time: Date): unknown {
  return {
    ...valueHead(of.number),
    contacts: [{ wa_id: of.recipient.waId ?? undefined, user_id: of.recipient.userId ?? undefined }],
    statuses: [{ ...statusHead(of, time), status, ...(status === 'read' ? {} : costOf(of, status, time)) }],
  }
}

/** The time for which all messages are free after the reply to a customer who came through an ad. */
const FREE_ENTRY_MS = 3 * DAY_MS

// Since v24 a status contains the price, and its conversation only if that is free.
function costOf({ chanmid, pricing, freeEntry }: StatusOf, status: 'sent' | 'delivered', time: Date): object {
  const type = freeEntry ? 'free_entry_point' : pricing.billable ? 'regular' : 'free_customer_service'
  const billable = pricing.billable && !freeEntry
  const category = freeEntry ? 'referral_conversion' : pricing.category
  const expires = status === 'sent' ? unixSeconds(later(time, FREE_ENTRY_MS)) : undefined
  return {
    pricing: { billable, pricing_model: 'PMP', type, category },
    conversation: freeEntry
      ? {
          id: createHash('sha256').update(chanmid).digest('hex').slice(0, 32),
          expiration_timestamp: expires,
          origin: { type: 'referral_conversion' },
        }
      : undefined,
  }
}

/** Returns the webhook `value` of failed: errors, and no contacts. */
export function failedValue(of: StatusOf, code: number, time: Date): unknown {
  const title = failures[code]?.title ?? classifyError({ code }).title
  const details = failures[code]?.details ?? title
  return {
    ...valueHead(of.number),
    statuses: [
      {
        ...statusHead(of, time),
        status: 'failed',
        errors: [{ code, title, message: title, error_data: { details }, href: errorHref }],
      },
    ],
  }
}

const errorHref = '/documentation/business-messaging/whatsapp/support/error-codes'
// The reported text of a failed message, if it differs from the title of the code.
const failures: Record<number, { title: string; details: string }> = {
  131026: { title: 'Message undeliverable', details: 'Message Undeliverable.' },
  131049: {
    title: 'This message was not delivered to maintain healthy ecosystem engagement.',
    details: 'In order to maintain a healthy ecosystem engagement, the message failed to be delivered.',
  },
}

/** A customer's message, tap, file, or submitted form: exactly one of them. */
export type InboundContent =
  | { text: string }
  | { button: { id: string; title: string } }
  | { list: { id: string; title: string; description?: string } }
  | { file: { kind: string; id: string; mimeType: string; filename?: string; caption?: string } }
  | { form: Record<string, unknown> }

/** The customer who writes: digits with or without `+`, or the user id of a customer who shares no number. */
export type InboundSender = { from: string } | { userId: string }

/**
 * Returns the webhook `value` of a customer's message to `number` (docs/formats.md section 8). `at` is
 * rounded to whole seconds. `replyTo` is the channel message id that a tap or reply refers to.
 */
export function inboundValue(
  input: InboundSender &
    InboundContent & {
      number: SimulatedNumber
      username?: string
      profileName?: string
      replyTo?: string | undefined
      at: Date
      id: string
    },
): unknown {
  const { type, ...payload } = inboundPayload(input)
  return customerMessageValue({
    ...input,
    waId: 'from' in input ? input.from.replace(/\D/g, '') : undefined,
    userId: 'userId' in input ? input.userId : undefined,
    type,
    payload,
    context: input.replyTo ? { from: input.number.displayNumber, id: input.replyTo } : undefined,
  })
}

/**
 * A message from a customer, of any type: `payload` is added next to its type, such as `{ text: { body } }`.
 */
export type CustomerMessage = {
  number: SimulatedNumber
  waId: string | undefined
  userId: string | undefined
  username?: string
  profileName?: string
  at: Date
  id: string
  type: string
  payload: Record<string, unknown>
  context?: Record<string, unknown>
}

/** Returns the webhook `value` of a customer's message (docs/formats.md section 8). */
export function customerMessageValue(input: CustomerMessage): unknown {
  const { number, waId, userId, username, profileName } = input
  return {
    ...valueHead(number),
    contacts: [{ profile: { name: profileName, username }, wa_id: waId, user_id: userId }],
    messages: [
      {
        context: input.context,
        from: waId,
        from_user_id: userId,
        id: input.id,
        timestamp: unixSeconds(input.at),
        type: input.type,
        ...input.payload,
      },
    ],
  }
}

/** A customer's missed call; numbers in digits. */
export type MissedCall = {
  number: SimulatedNumber
  from: string
  callId: string
  startedAt: Date
  endedAt: Date
}

/** Returns the webhook `value` of the call's start and end (docs/formats.md section 10). */
export function missedCallValue({ number, from, callId, startedAt, endedAt }: MissedCall): unknown {
  const call = { id: callId, from, to: number.displayNumber, direction: 'USER_INITIATED' }
  return {
    ...valueHead(number),
    contacts: [{ wa_id: from }],
    calls: [
      { ...call, event: 'connect', timestamp: unixSeconds(startedAt) },
      { ...call, event: 'terminate', status: 'COMPLETED', timestamp: unixSeconds(endedAt) },
    ],
  }
}

function inboundPayload(content: InboundContent): { type: string; [payload: string]: unknown } {
  if ('text' in content) return { type: 'text', text: { body: content.text } }
  if ('file' in content) {
    const { kind, id, mimeType, filename, caption } = content.file
    return { type: kind, [kind]: { id, mime_type: mimeType, filename, caption } }
  }
  if ('form' in content)
    return {
      type: 'interactive',
      interactive: {
        type: 'nfm_reply',
        nfm_reply: { name: 'flow', body: 'Sent', response_json: JSON.stringify(content.form) },
      },
    }
  const interactive =
    'button' in content
      ? { type: 'button_reply', button_reply: content.button }
      : { type: 'list_reply', list_reply: content.list }
  return { type: 'interactive', interactive }
}

/** The first fields of every `value` about a number. */
export const valueHead = (number: SimulatedNumber) => ({
  messaging_product: 'whatsapp',
  metadata: { display_phone_number: number.displayNumber, phone_number_id: number.operatorId },
})

const statusHead = (of: StatusOf, time: Date) => ({
  id: of.chanmid,
  timestamp: unixSeconds(time),
  recipient_id: of.recipient.waId ?? undefined,
  recipient_user_id: of.recipient.userId ?? undefined,
  biz_opaque_callback_data: of.callbackData,
})

/** Formats a time as in webhooks. */
export const unixSeconds = (time: Date): string => String(Math.floor(time.getTime() / SECOND_MS))
