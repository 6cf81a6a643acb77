/** Reads the values of Chatwoot's answers. A value of another shape counts as missing. */
import { isObject, objectsIn, shortTextOrNull, storableJson, storableText } from '../core/values/storable.ts'
import type {
  ChatwootAgent,
  ChatwootAttachment,
  ChatwootCannedResponse,
  ChatwootContact,
  ChatwootConversation,
  ChatwootInbox,
  ChatwootMessage,
} from './port.ts'

export type Json = Record<string, unknown>

const MAX_TEXT = 200_000
const MAX_ATTRIBUTES = 100
const MAX_ATTRIBUTE_TEXT = 5_000
/** Chatwoot's own limit of attachments in a message is 15. */
const MAX_ATTACHMENTS = 30
const LAST_SECOND = 253_402_300_799

/** Returns a storable text that is not blank, cut to `max` UTF-16 units; else null. */
export const textIn = (value: unknown, max = MAX_TEXT): string | null => shortTextOrNull(value, max)

/** Returns a positive whole number; else null. */
export const idIn = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null

export const countIn = (value: unknown): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0

const fieldsIn = (value: unknown): Json => (isObject(value) ? (storableJson(value) as Json) : {})

/** Returns the results of `read` that are not null. */
export const readAll = <Value>(value: unknown, read: (entry: Json) => Value | null): Value[] =>
  objectsIn(value).flatMap((entry) => read(entry) ?? [])

export function inboxIn(value: Json): ChatwootInbox | null {
  const id = idIn(value.id)
  if (id === null) return null
  const phone = textIn(value.phone_number, 60)
  return {
    id,
    name: textIn(value.name, 200) ?? `Inbox ${id}`,
    channel: textIn(value.channel_type, 100) ?? '',
    // Twilio's channels may write `whatsapp:+14155550123`.
    phone: phone === null ? null : phone.replace(/^whatsapp:/, ''),
  }
}

export function agentIn(value: Json): ChatwootAgent | null {
  const id = idIn(value.id)
  if (id === null) return null
  return {
    id,
    name: textIn(value.name, 200) ?? `Agent ${id}`,
    email: textIn(value.email, 320)?.toLowerCase() ?? null,
  }
}

export function cannedResponseIn(value: Json): ChatwootCannedResponse | null {
  const id = idIn(value.id)
  return id === null
    ? null
    : { id, shortCode: textIn(value.short_code, 300) ?? '', content: textIn(value.content) ?? '' }
}

/** The fields of `additional_attributes` that describe the person. */
const DETAILS = ['company_name', 'city', 'country', 'description'] as const

function attributesIn(value: Json): ChatwootContact['attributes'] {
  const details = isObject(value.additional_attributes) ? value.additional_attributes : {}
  const custom = isObject(value.custom_attributes) ? value.custom_attributes : {}
  const entries: [string, unknown][] = [
    ...DETAILS.map((name): [string, unknown] => [name, details[name]]),
    ['email', value.email],
    ...Object.entries(custom),
  ]
  const attributes = new Map<string, string | number | boolean>()
  for (const [name, entry] of entries) {
    const key = storableText(name).trim()
    if (key === '' || key.length > 100 || key === '__proto__' || attributes.size >= MAX_ATTRIBUTES) continue
    const attribute = typeof entry === 'string' ? textIn(entry, MAX_ATTRIBUTE_TEXT) : entry
    if (typeof attribute === 'string' || typeof attribute === 'boolean') attributes.set(key, attribute)
    if (typeof attribute === 'number' && Number.isFinite(attribute)) attributes.set(key, attribute)
  }
  return Object.fromEntries(attributes)
}

export function contactIn(value: unknown): ChatwootContact | null {
  if (!isObject(value)) return null
  const id = idIn(value.id)
  if (id === null) return null
  return {
    id,
    name: textIn(value.name, 200),
    phone: textIn(value.phone_number, 60),
    email: textIn(value.email, 320),
    attributes: attributesIn(value),
  }
}

const labelsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.flatMap((label) => textIn(label, 100) ?? []).slice(0, 50) : []

/** Returns the titles of an account's labels. */
export const labelTitleIn = (value: Json): string | null => textIn(value.title, 100)

export function conversationIn(value: Json): ChatwootConversation | null {
  const id = idIn(value.id)
  const contact = contactIn(isObject(value.meta) ? value.meta.sender : null)
  if (id === null || contact === null) return null
  return { id, uuid: textIn(value.uuid, 60), labels: labelsIn(value.labels), contact }
}

const FILE_KINDS: Record<string, ChatwootAttachment['kind']> = {
  image: 'image',
  audio: 'audio',
  video: 'video',
  file: 'file',
  location: 'location',
  contact: 'contact',
}

const coordinateIn = (value: unknown, limit: number): number | null =>
  typeof value === 'number' && Math.abs(value) <= limit ? value : null

function attachmentIn(value: Json): ChatwootAttachment {
  const latitude = coordinateIn(value.coordinates_lat, 90)
  const longitude = coordinateIn(value.coordinates_long, 180)
  return {
    kind: FILE_KINDS[String(value.file_type)] ?? 'link',
    url: textIn(value.data_url, 2_000),
    title: textIn(value.fallback_title, 1_000),
    place: latitude === null || longitude === null ? null : { latitude, longitude },
  }
}

const STATUSES = ['sent', 'delivered', 'read', 'failed'] as const

const DIRECTIONS: Record<number, ChatwootMessage['direction']> = {
  0: 'inbound',
  1: 'outbound',
  2: 'activity',
  3: 'outbound',
}

function agentOf(sender: unknown): ChatwootMessage['agent'] {
  if (!isObject(sender) || sender.type !== 'user') return null
  const id = idIn(sender.id)
  return id === null ? null : { id, name: textIn(sender.name, 200) }
}

export function messageIn(value: Json): ChatwootMessage | null {
  const id = idIn(value.id)
  const direction = DIRECTIONS[Number(value.message_type)]
  const seconds = value.created_at
  if (id === null || direction === undefined || typeof seconds !== 'number') return null
  if (!(seconds >= 0 && seconds <= LAST_SECOND)) return null
  return {
    id,
    direction,
    contentType: textIn(value.content_type, 40) ?? 'text',
    content: textIn(value.content) ?? '',
    fields: fieldsIn(value.content_attributes),
    status: STATUSES.find((status) => status === value.status) ?? null,
    createdAt: new Date(Math.floor(seconds) * 1000),
    isPrivate: value.private === true,
    sourceId: textIn(value.source_id, 500),
    agent: agentOf(value.sender),
    attachments: objectsIn(value.attachments).slice(0, MAX_ATTACHMENTS).map(attachmentIn),
  }
}
