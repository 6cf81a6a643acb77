/** A message of the past: its shape, and the id under which it is stored (DECISIONS.md "Past messages"). */
import { createHash } from 'node:crypto'
import type { MessageStatus } from '../schema.ts'

/** The sources of past messages. */
export const PAST_SOURCES = ['chatwoot', 'whatsapp_export', 'history_file', 'phone_app'] as const
export type PastSource = (typeof PAST_SOURCES)[number]

/** The states that a past message of ours can have. */
export const PAST_STATUSES = ['sent', 'delivered', 'read', 'failed'] as const satisfies MessageStatus[]

/** The largest `order` of a past message. */
export const MAX_ORDER = 0xfff

/** The customer of a past message: the number (E.164), the chat-network user id where the operator hides it, or both. */
export type PastContact = {
  phone?: string | undefined
  userId?: string | undefined
  /** Fills a contact without a name of its own, and never replaces one. */
  name?: string | undefined
}

/** A file of a past message, whose bytes are in the media store (`holdPastFiles`). */
export type PastFile = { mediaId: string }

export type PastMessage = {
  /** Identifies the message in its source; the same message is stored once. */
  externalId: string
  contact: PastContact
  direction: 'inbound' | 'outbound'
  createdAt: Date
  /** The place among messages with the same `createdAt`, from 0 to `MAX_ORDER`. Without it, their order is arbitrary. */
  order?: number | undefined
  /** Type of the content. Default: text. */
  type?: string | undefined
  /** Content in the operator's shape, as `messages.content` is stored. */
  content: Record<string, unknown>
  /** For messages of ours. Default: delivered. */
  status?: (typeof PAST_STATUSES)[number] | undefined
  /** The operator's id, where the source knows it. */
  chanmid?: string | null | undefined
  /** The operator's id of the message that it replies to. */
  replyTo?: string | null | undefined
  /** The member who wrote it. */
  sentBy?: string | null | undefined
  file?: PastFile | undefined
}

/**
 * Returns the id of a past message: a UUIDv7 of its time, so that it sorts where it belongs, with a hash of its origin, so that
 * each import of it has the same id.
 */
export function pastMessageId(
  workspaceId: string,
  source: PastSource,
  { externalId, createdAt, order }: Pick<PastMessage, 'externalId' | 'createdAt' | 'order'>,
): string {
  const hash = createHash('sha256').update(`${workspaceId} ${source} ${externalId}`).digest('hex')
  const ms = Math.max(0, createdAt.getTime()).toString(16).padStart(12, '0')
  const place =
    order === undefined ? hash.slice(0, 3) : Math.min(order, MAX_ORDER).toString(16).padStart(3, '0')
  const variant = ((Number.parseInt(hash[3]!, 16) & 0x3) | 0x8).toString(16)
  return `${ms.slice(0, 8)}-${ms.slice(8)}-7${place}-${variant}${hash.slice(4, 7)}-${hash.slice(7, 19)}`
}
