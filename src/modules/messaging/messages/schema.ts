import { z } from 'zod'
import { Id } from '../../../core/ids.ts'
import { cursorQuery, idsQuery } from '../../../core/paging.ts'
import { SourceSchema } from '../../../core/source.ts'
import { Instant } from '../../../core/values/text.ts'
import { SearchText } from '../contacts/schema.ts'
import { CONVERSATION_FIELDS, Conversation } from '../conversations/schema.ts'
import { MessageContent } from './content-schema.ts'

/** States of an outbound message, by rank; skipped: deliberately not sent (spec 2.5). */
export const MESSAGE_STATUSES = ['queued', 'sent', 'delivered', 'read', 'failed', 'skipped'] as const
export type MessageStatus = (typeof MESSAGE_STATUSES)[number]

/** Why Parley decided not to send a message (DECISIONS.md). */
export type SkipReason =
  | 'opted_out'
  | 'blocked'
  | 'cancelled'
  | 'expired'
  | 'paid'
  | 'window_closed'
  | 'number_removed'
  | 'restored'
  | 'duplicate'

export { TEXT_MAX } from '../../../operator/message-payload/text.ts'

/** Body of `POST /conversations/{id}/read`. */
export const ReadBody = z.strictObject({
  typing: z.boolean().optional().meta({
    description:
      'Whether to show the customer that someone is typing, until a reply is sent or for 25 seconds.',
  }),
})

/** Why a message failed: the operator's code and text, and whether to try again. */
export const MessageError = z
  .object({
    code: z.number(),
    title: z.string(),
    message: z.string(),
    details: z.string().nullable(),
    category: z.string(),
    permanent: z.boolean(),
    retryable: z.boolean(),
  })
  .meta({
    id: 'MessageError',
    description: 'Why a message failed.',
    fields: {
      code: "The operator's error code.",
      title: "The operator's title of the error.",
      message: "The operator's message.",
      details: "The operator's details of the error; null without them.",
      category: 'Category of the error, such as `recipient`.',
    },
  })

/** The operator's data about the price of a message (docs/formats.md section 9). */
const MessagePricing = z
  .object({
    billable: z.boolean().nullable(),
    category: z.string().nullable().meta({ example: 'marketing' }),
    type: z.string().nullable().meta({ example: 'free_customer_service' }),
    model: z.string().nullable().meta({ example: 'PMP' }),
  })
  .meta({
    id: 'MessagePricing',
    description: "The operator's report about the price of a message.",
    fields: {
      billable: 'Whether the operator charges for it; null if unknown.',
      category: 'Category of the price, such as `marketing`; null if unknown.',
      type: 'Type of the price, such as `free_customer_service`; null if unknown.',
      model: 'Pricing model, such as `PMP`; null if unknown.',
    },
  })

/** A chat-network message in either direction (spec 2.5). */
export const Message = z
  .object({
    id: Id,
    chanmid: z
      .string()
      .nullable()
      .meta({ description: "The channel's id of the message; null until the operator assigns it." }),
    conversationId: Id,
    contactId: Id,
    phoneNumberId: Id,
    direction: z.enum(['inbound', 'outbound']),
    type: z.string(),
    content: MessageContent,
    text: z
      .string()
      .nullable()
      .meta({ description: 'The message as text: its text, caption, body, or tapped answer.' }),
    status: z
      .enum(MESSAGE_STATUSES)
      .nullable()
      .meta({ description: "Delivery state of your message; null for a customer's." }),
    replyTo: z.string().nullable(),
    sentBy: Id.nullable().meta({
      description: 'Id of the member who wrote it in the dashboard; see GET /team.',
    }),
    automation: z.object({ id: Id, runId: Id }).nullable().meta({
      description: 'The automation that sent it; see `GET /automations/{id}/runs`.',
    }),
    source: SourceSchema.nullable().meta({
      description:
        "Source of your message; null for a customer's message, and for an old message without a stored source.",
    }),
    context: z.record(z.string(), z.unknown()).nullable().meta({
      description:
        "Context of a customer's message, in the operator's format: the message that it replies to, forwarding, a product, or an advertisement (`referral`).",
    }),
    originalContent: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: 'Content before the message was edited.' }),
    editedAt: Instant.nullable(),
    deletedAt: Instant.nullable().meta({
      description: 'When its sender deleted it, in UTC. The content is deleted too.',
    }),
    importedFrom: z.string().nullable().meta({
      description:
        'Source of a message that was imported from the past: `chatwoot`, `whatsapp_export`, `history_file`, or `phone_app`. Null for a message that passed through Parley.',
      example: 'whatsapp_export',
    }),
    pricing: MessagePricing.nullable().meta({ description: "The operator's charge for it." }),
    error: MessageError.nullable(),
    skipReason: z.string().nullable().meta({
      description:
        'Why a `skipped` message was not sent: `opted_out`, `blocked`, `cancelled`, `expired`, `paid`, `window_closed`, `number_removed`, `restored`, or `duplicate`. Null for every other state.',
      example: 'opted_out',
    }),
    createdAt: Instant.meta({
      description:
        'When it was stored, in UTC; for an imported message, when it was written. Lists and cursors use this order.',
    }),
    sentAt: Instant.nullable().meta({
      description:
        'When the operator sent your message, or when the customer sent theirs, in UTC. It is earlier than `createdAt` if the message arrived late. Null until the operator sends your message, and for old customer messages without a stored time.',
    }),
    deliveredAt: Instant.nullable(),
    readAt: Instant.nullable(),
    failedAt: Instant.nullable(),
  })
  .meta({
    id: 'Message',
    description: 'A message of the chat network, from or to a customer.',
    fields: {
      type: 'Kind of message, such as `text` or `image`.',
      replyTo: "The channel's id of the message that this one replies to; null for none.",
      'automation.id': 'Id of the automation.',
      'automation.runId': 'Id of the run.',
      error: 'Why it failed; null if it did not.',
      deliveredAt: 'When it was delivered, in UTC; null until then.',
      failedAt: 'When it failed, in UTC; null if it did not.',
    },
  })

/** The last message of a conversation in lists. */
export const LastMessage = z
  .object({
    id: Id,
    direction: z.enum(['inbound', 'outbound']),
    type: z.string(),
    text: z.string().nullable().meta({ description: 'The beginning of its text.' }),
    status: z.enum(MESSAGE_STATUSES).nullable(),
    createdAt: Instant,
  })
  .meta({
    id: 'LastMessage',
    description: 'The last message of a conversation.',
    fields: {
      type: 'Kind of message, such as `text` or `image`.',
      status: "Delivery state of your message; null for a customer's.",
    },
  })

/** A conversation as the list shows it. */
export const ListedConversation = Conversation.extend({
  lastMessage: LastMessage.nullable().meta({
    description: 'The last message; null if there is none, and for a key that cannot read messages.',
  }),
}).meta({
  id: 'ListedConversation',
  description: 'A conversation in a list, with its last message.',
  fields: CONVERSATION_FIELDS,
})

/** Query of `GET /messages`: filters of spec 4.3 and ours (DECISIONS.md). */
export const MessageFilter = z
  .object({
    ...cursorQuery,
    ...idsQuery,
    around: Id.optional().meta({
      description:
        'Id of a message: returns the messages before and after it in its conversation, the same number on each side, newest first. Can only be combined with `limit`.',
    }),
    conversationId: Id.optional().meta({ description: 'Only messages of this conversation.' }),
    status: z
      .enum(MESSAGE_STATUSES)
      .optional()
      .meta({ description: 'Only outbound messages in this state.' }),
    direction: z.enum(['inbound', 'outbound']).optional().meta({
      description: 'Only messages in this direction: from customers (`inbound`) or from you (`outbound`).',
    }),
    type: z
      .string()
      .regex(/^[a-z0-9_]{1,40}$/, 'Must be a message type, such as text or image.')
      .optional()
      .meta({ description: 'Only messages of this type.', example: 'image' }),
    contactId: Id.optional().meta({ description: 'Only messages with this contact.' }),
    phone: z
      .string()
      .min(1, 'Must not be empty.')
      .max(200, 'Must be at most 200 characters.')
      .optional()
      .meta({
        description:
          'Only messages with this contact: the phone number in any spelling, or `chan:<user id>`.',
      }),
    phoneNumberId: Id.optional().meta({ description: 'Only messages on this number of yours.' }),
    search: SearchText.optional().meta({
      description:
        'Only messages with every word of this text, or with words that start with them, as `GET /search` finds them. Needs `conversationId`, `contactId`, or `phone`.',
    }),
  })
  .refine(
    ({ search, conversationId, contactId, phone }) =>
      !search || (conversationId ?? contactId ?? phone) !== undefined,
    {
      path: ['search'],
      error: 'Needs conversationId, contactId, or phone. GET /search finds messages of every chat.',
    },
  )
  .refine(
    ({ around, limit: _limit, ...others }) =>
      around === undefined || Object.values(others).every((value) => value === undefined),
    {
      path: ['around'],
      error: 'Must be the only filter. Only limit can be sent with it.',
    },
  )
export type MessageFilter = z.output<typeof MessageFilter>
