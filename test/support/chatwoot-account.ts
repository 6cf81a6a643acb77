/** An account of Chatwoot whose contacts and conversations are computed, not stored. */
type Json = Record<string, unknown>

export const TOKEN = 'cw-0123456789abcdef'
export const ACCOUNT = 7
export const WHATSAPP = 1
export const WIDGET = 2
export const API_INBOX = 3
const FIRST_SECOND = 1_704_067_200

export type AccountSize = { contacts: number; conversations: number; phone: string }

const digits = (i: number): string => String(i).padStart(8, '0')

export const hasPhone = (i: number): boolean => i % 50 !== 0
const hasValidPhone = (i: number): boolean => hasPhone(i) && i % 97 !== 0
export const phoneOfContact = (i: number): string | null => {
  if (!hasPhone(i)) return null
  return hasValidPhone(i) ? `+9198${digits(i)}` : '+12'
}
export const isVip = (i: number): boolean => i % 10 === 1

export const contactOf = (i: number): Json => ({
  id: i,
  name: `Customer ${i}`,
  email: hasPhone(i) && i % 3 !== 0 ? null : `customer${i}@example.com`,
  phone_number: phoneOfContact(i),
  identifier: null,
  blocked: false,
  thumbnail: '',
  additional_attributes: i % 5 === 0 ? { city: 'Pune' } : {},
  custom_attributes: i % 4 === 0 ? { plan: 'gold', visits: i } : {},
  created_at: FIRST_SECOND + i,
})

export const inboxesOf = ({ phone }: AccountSize): Json[] => [
  { id: WHATSAPP, name: 'Shop', channel_type: 'Channel::Whatsapp', phone_number: phone },
  { id: WIDGET, name: 'Website', channel_type: 'Channel::WebWidget', phone_number: null },
  { id: API_INBOX, name: 'Old system', channel_type: 'Channel::Api', phone_number: null },
]

export const inboxOf = (k: number): number => {
  if (k % 20 === 0) return WIDGET
  return k % 30 === 7 ? API_INBOX : WHATSAPP
}
export const contactIdOf = (k: number, { contacts }: AccountSize): number => ((k - 1) % contacts) + 1

export const conversationOf = (k: number, size: AccountSize): Json => ({
  id: k,
  uuid: `00000000-0000-4000-8000-${String(k).padStart(12, '0')}`,
  account_id: ACCOUNT,
  inbox_id: inboxOf(k),
  labels: k % 25 === 3 ? ['refund'] : [],
  status: ['open', 'resolved', 'pending', 'snoozed'][k % 4],
  created_at: FIRST_SECOND + k * 60,
  meta: { sender: contactOf(contactIdOf(k, size)), channel: 'Channel::Whatsapp' },
  messages: [],
})

/** A long conversation has more than one page of messages. */
export const messageCountOf = (k: number): number => (k % 500 === 1 ? 230 : 3 + (k % 4))

const AGENT = { id: 1, name: 'Asha Rao', type: 'user' }
const BASE = { content_type: 'text', content_attributes: {}, private: false, source_id: null, status: 'sent' }

/** Returns message `j` (from 0) of a conversation: a question, then answers of every kind. */
export function messageOf(k: number, j: number, address: string): Json {
  const common = {
    ...BASE,
    id: k * 1000 + j + 1,
    inbox_id: inboxOf(k),
    conversation_id: k,
    created_at: FIRST_SECOND + k * 60 + j * 20,
  }
  const inbound = { ...common, message_type: 0, sender: { id: 1, type: 'contact' } }
  const outbound = { ...common, message_type: 1, sender: AGENT, status: 'read' }
  if (j === 0)
    return { ...inbound, content: `Question ${k}`, source_id: inboxOf(k) === WHATSAPP ? `wamid.${k}` : null }
  if (j === 1) return { ...outbound, content: `Answer ${k}` }
  if (j === 2) return { ...common, message_type: 2, content: 'Asha Rao resolved this', sender: null }
  if (j === 3) return { ...outbound, private: true, content: `Note ${k}` }
  if (j === 4 && k % 100 === 2)
    return {
      ...inbound,
      content: `Picture ${k}`,
      attachments: [
        {
          id: k,
          file_type: 'image',
          // An installation that does not know its own address.
          data_url: `http://0.0.0.0:3000/rails/active_storage/blobs/redirect/signed/${k}.png`,
        },
      ],
    }
  if (j === 4)
    return {
      ...common,
      message_type: 3,
      content_type: 'input_select',
      content: 'How was it?',
      content_attributes: { items: [{ title: 'Good' }, { title: 'Bad' }] },
      sender: null,
    }
  if (j === 5)
    return { ...inbound, content: 'This message was deleted', content_attributes: { deleted: true } }
  return { ...(j % 2 === 0 ? inbound : outbound), content: `More ${j} of ${k}, at ${address}` }
}

export const CANNED = [
  { id: 1, short_code: 'hours', content: 'We are open from 10 to 7.', account_id: ACCOUNT },
  { id: 2, short_code: 'two words', content: 'Pay by UPI or card.', account_id: ACCOUNT },
  { id: 3, short_code: 'empty', content: '', account_id: ACCOUNT },
]
export const LABELS = ['vip', 'refund', 'unused']
