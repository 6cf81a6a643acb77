import { randomUUID } from 'node:crypto'
import { SECOND_MS } from '../../core/clock.ts'
import type { Recipient } from './recipients.ts'
import type { SimulatedNumber } from './store.ts'

/** A new channel message id: `wamid.` and base64, unique. It tells nothing about the recipient. */
export function newChannelMessageId(): string {
  const text = randomUUID().replaceAll('-', '').toUpperCase()
  return `wamid.${Buffer.from(text, 'latin1').toString('base64')}`
}

/** The body of a webhook around one `value` (FORMATS section 8). */
export function webhookBody(accountId: string, value: unknown, field = 'messages'): unknown {
  return { object: 'whatsapp_business_account', entry: [{ id: accountId, changes: [{ field, value }] }] }
}

/** What a message costs: its `category` in lower case, `service` for an answer within the window, which is free. */
export type Pricing = { category: string; billable: boolean }

/** One status of a message that went out. */
export type StatusOf = {
  number: SimulatedNumber
  recipient: Recipient
  chanmid: string
  callbackData: string | undefined
  pricing: Pricing
}

/** The webhook `value` of sent, delivered or read (FORMATS section 9). */
export function statusValue(of: StatusOf, status: 'sent' | 'delivered' | 'read', at: Date): unknown {
  return {
    ...valueHead(of.number),
    contacts: [{ wa_id: of.recipient.waId ?? undefined, user_id: of.recipient.userId ?? undefined }],
    statuses: [
      { ...statusHead(of, at), status, pricing: status === 'read' ? undefined : pricingOf(of.pricing) },
    ],
  }
}

// Since v24 a status says what it costs, and no longer which conversation it belongs to.
const pricingOf = ({ category, billable }: Pricing) => ({
  billable,
  pricing_model: 'PMP',
  type: billable ? 'regular' : 'free_customer_service',
  category,
})

/** The webhook `value` of failed: errors, and no contacts. */
export function failedValue(of: StatusOf, code: number, at: Date): unknown {
  const { title, details } = failures[code] ?? unexplained
  return {
    ...valueHead(of.number),
    statuses: [
      {
        ...statusHead(of, at),
        status: 'failed',
        errors: [{ code, title, message: title, error_data: { details }, href: errorHref }],
      },
    ],
  }
}

const errorHref = '/documentation/business-messaging/whatsapp/support/error-codes'
const unexplained = { title: 'Something went wrong', details: 'Message failed to send.' }
const failures: Record<number, { title: string; details: string }> = {
  131026: { title: 'Message undeliverable', details: 'Message Undeliverable.' },
  131049: {
    title: 'This message was not delivered to maintain healthy ecosystem engagement.',
    details: 'In order to maintain a healthy ecosystem engagement, the message failed to be delivered.',
  },
}

/** What a customer writes or taps: exactly one of the three. */
export type InboundContent =
  | { text: string }
  | { button: { id: string; title: string } }
  | { list: { id: string; title: string; description?: string } }

/** A customer who writes: digits with or without `+`, or the user id of one who shares no number. */
export type InboundSender = { from: string } | { userId: string }

/**
 * The webhook `value` of a customer writing to `number` (FORMATS section 8). `at` counts in whole seconds there.
 * `replyTo` is the channel message id that a tap or a reply answers.
 */
export function inboundValue(
  input: InboundSender &
    InboundContent & {
      number: SimulatedNumber
      username?: string
      profileName?: string
      replyTo?: string
      at: Date
      id: string
    },
): unknown {
  const waId = 'from' in input ? input.from.replace(/\D/g, '') : undefined
  const userId = 'userId' in input ? input.userId : undefined
  return {
    ...valueHead(input.number),
    contacts: [
      { profile: { name: input.profileName, username: input.username }, wa_id: waId, user_id: userId },
    ],
    messages: [
      {
        context: input.replyTo ? { from: input.number.displayNumber, id: input.replyTo } : undefined,
        from: waId,
        from_user_id: userId,
        id: input.id,
        timestamp: unixSeconds(input.at),
        ...inboundPayload(input),
      },
    ],
  }
}

function inboundPayload(content: InboundContent): Record<string, unknown> {
  if ('text' in content) return { type: 'text', text: { body: content.text } }
  const interactive =
    'button' in content
      ? { type: 'button_reply', button_reply: content.button }
      : { type: 'list_reply', list_reply: content.list }
  return { type: 'interactive', interactive }
}

const valueHead = (number: SimulatedNumber) => ({
  messaging_product: 'whatsapp',
  metadata: { display_phone_number: number.displayNumber, phone_number_id: number.operatorId },
})

const statusHead = (of: StatusOf, at: Date) => ({
  id: of.chanmid,
  timestamp: unixSeconds(at),
  recipient_id: of.recipient.waId ?? undefined,
  recipient_user_id: of.recipient.userId ?? undefined,
  biz_opaque_callback_data: of.callbackData,
})

const unixSeconds = (at: Date): string => String(Math.floor(at.getTime() / SECOND_MS))
