import { z } from 'zod'
import { DAY_MS, later } from '../../../../core/clock.ts'
import { customerName, customerPhone } from '../../../../core/customer-details.ts'
import { Id } from '../../../../core/ids.ts'
import { cursorQuery } from '../../../../core/paging.ts'
import { SourceSchema } from '../../../../core/source.ts'
import { Instant, JsonObject } from '../../../../core/values/text.ts'
import type { ContactInEvent } from '../../../messaging/contacts/schema.ts'
import { MessagingWindow } from '../../../messaging/conversations/schema.ts'
import type { ConversationRow } from './queries/conversations.ts'
import type { MessageRow } from './queries/messages.ts'

/** The time for replies after the customer's last message (spec 8.2). */
const WINDOW_MS = DAY_MS
/** The network's limit for a message, in UTF-8. */
const MAX_TEXT_BYTES = 1_000

/** A customer of the photo network in events and answers. */
export const SocialContact = z
  .object({
    id: Id,
    name: customerName(z.string()).nullable(),
    username: z.string().nullable(),
  })
  .meta({ fields: { id: 'Id of the contact.', name: 'Name of the customer; null if unknown.' } })

export const socialContactOf = ({ id, name, username }: ContactInEvent): z.input<typeof SocialContact> => ({
  id,
  name,
  username,
})

/** A direct chat (spec 4.6). */
export const SocialConversation = z
  .object({
    id: z.string(),
    contact: SocialContact.extend({
      e164: customerPhone(z.string()).meta({
        description: 'Id of the customer on the photo network: `sx:<id>`.',
      }),
    }),
    leadId: z.string().nullable().meta({
      description: 'Id of the lead that a teammate linked: `PATCH /social/conversations/{id}`.',
    }),
    window: MessagingWindow.meta({
      description: "The 24 hours after the customer's last message in which you can reply.",
    }),
    windowOpen: z.boolean().meta({ description: 'The same as `window.open`.' }),
    windowExpiresAt: Instant.nullable().meta({ description: 'The same as `window.expiresAt`.' }),
    lastInboundAt: Instant.nullable(),
    lastMessageAt: Instant.nullable(),
    createdAt: Instant,
  })
  .meta({
    id: 'SocialConversation',
    description: 'A direct chat of the photo network.',
    fields: {
      contact: 'Customer of the chat.',
      'contact.name': 'Name of the customer; null if unknown.',
      lastInboundAt: 'When the customer last wrote, in UTC; null if never.',
    },
  })

export const MESSAGE_STATUSES = ['received', 'sending', 'sent', 'read', 'unconfirmed'] as const

/** A message of a direct chat. */
export const SocialMessage = z
  .object({
    id: z.string(),
    conversationId: z.string(),
    mid: z.string().nullable().meta({
      description:
        "The network's id of the message; null until it is known. Photos that arrived together share it.",
    }),
    direction: z.enum(['inbound', 'outbound']),
    type: z.string().meta({
      description:
        'Type of the message: text, image, video, audio, share, story_mention, postback, or others.',
    }),
    content: JsonObject.meta({
      description: "Content of the message, in the network's format; `{}` if it was deleted.",
    }),
    originalContent: JsonObject.nullable().meta({ description: 'Content before the message was edited.' }),
    status: z.enum(MESSAGE_STATUSES).meta({
      description:
        'State of your message. `unconfirmed`: the network did not respond, so the message may have been sent. A later report decides.',
    }),
    replyTo: z.string().nullable().meta({ description: "The network's id of the message replied to." }),
    reaction: z.string().nullable(),
    sentBy: Id.nullable().meta({
      description: 'Id of the member who wrote it in the dashboard; see GET /team.',
    }),
    source: SourceSchema.nullable().meta({
      description:
        "Source of your message; null for a customer's message, and for an old message without a stored source. `phone_app`: a person wrote in the network's app.",
    }),
    createdAt: Instant,
    sentAt: Instant.nullable().meta({ description: "When it was sent, by the network's clock, in UTC." }),
    readAt: Instant.nullable(),
    editedAt: Instant.nullable(),
    deletedAt: Instant.nullable(),
  })
  .meta({
    id: 'SocialMessage',
    description: 'A message of a direct chat.',
    fields: {
      reaction: 'Emoji that the customer reacted with; null for none.',
      deletedAt: 'When its sender deleted it, in UTC; null if it was not deleted.',
    },
  })

/** The query of `GET /social/conversations/{id}/messages`. */
export const SocialMessageFilter = z
  .object({
    ...cursorQuery,
    around: Id.optional().meta({
      description:
        'Id of a message of this chat: returns the messages before and after it, the same number on each side, newest first. Can only be combined with `limit`.',
    }),
  })
  .refine(({ around, cursor }) => around === undefined || cursor === undefined, {
    path: ['around'],
    error: "Can't be sent together with cursor.",
  })
export type SocialMessageFilter = z.output<typeof SocialMessageFilter>

/** The text of a direct message. */
export const DirectText = z
  .string()
  .refine((text) => text.trim() !== '', 'Must not be empty.')
  .refine(
    (text) => Buffer.byteLength(text) <= MAX_TEXT_BYTES,
    `Must be at most ${MAX_TEXT_BYTES} bytes of UTF-8.`,
  )
  .meta({ minLength: 1, maxLength: MAX_TEXT_BYTES })

/** Body of `POST /social/send`. */
export const SocialSendBody = z
  .strictObject({ conversationId: Id, text: DirectText })
  .meta({ fields: { text: 'Text of the message, at most 1,000 bytes of UTF-8.' } })
export type SocialSendBody = z.output<typeof SocialSendBody>

/** The fields of a chat that a member may change. */
export const SocialConversationPatch = z.strictObject({
  leadId: z
    .string()
    .min(1, 'Must not be empty.')
    .max(200, 'Must be at most 200 characters.')
    .nullable()
    .meta({ description: 'Id or phone number of the lead; null removes the link.' }),
})

const iso = (time: Date | null): string | null => time?.toISOString() ?? null

/** Returns until when a reply may be sent; null if the customer never wrote. */
const windowEnd = ({ lastInboundAt }: Pick<ConversationRow, 'lastInboundAt'>): Date | null =>
  lastInboundAt && later(lastInboundAt, WINDOW_MS)

/** Returns whether the account may send a reply at `now`. */
export function isWindowOpen(row: Pick<ConversationRow, 'lastInboundAt'>, now: Date): boolean {
  const end = windowEnd(row)
  return end !== null && end > now
}

/** Presents a stored chat at `now` in answers. */
export function presentConversation(
  row: ConversationRow,
  contact: ContactInEvent,
  now: Date,
): z.input<typeof SocialConversation> {
  const [open, expiresAt] = [isWindowOpen(row, now), iso(windowEnd(row))]
  return {
    id: row.id,
    contact: { ...socialContactOf(contact), e164: contact.phone },
    leadId: row.leadId,
    window: { open, expiresAt },
    windowOpen: open,
    windowExpiresAt: expiresAt,
    lastInboundAt: iso(row.lastInboundAt),
    lastMessageAt: iso(row.lastMessageAt),
    createdAt: row.createdAt.toISOString(),
  }
}

/** Presents a stored message in answers. */
export const presentMessage = (row: MessageRow): z.input<typeof SocialMessage> => ({
  id: row.id,
  conversationId: row.conversationId,
  mid: row.mid,
  direction: row.direction,
  type: row.type,
  content: row.content,
  originalContent: row.originalContent,
  status: row.status,
  replyTo: row.replyTo,
  reaction: row.reaction,
  sentBy: row.sentBy,
  source: row.sourceKind && { kind: row.sourceKind, id: row.sourceId, name: row.sourceName },
  createdAt: row.createdAt.toISOString(),
  sentAt: iso(row.sentAt),
  readAt: iso(row.readAt),
  editedAt: iso(row.editedAt),
  deletedAt: iso(row.deletedAt),
})
