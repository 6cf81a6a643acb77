import { z } from 'zod'
import { Id } from '../../core/ids.ts'
import { Instant } from '../../core/text.ts'

/** Delivery states of an outbound message, in order of rank; skipped: deliberately not sent (spec 2.5). */
export const MESSAGE_STATUSES = ['queued', 'sent', 'delivered', 'read', 'failed', 'skipped'] as const
export type MessageStatus = (typeof MESSAGE_STATUSES)[number]

/** Longest text that the operator takes (FORMATS section 2). */
export const TEXT_MAX = 4096

/** What can be sent. The other kinds of spec 4.2 join as they are built. */
export const SENDABLE_TYPES = ['text'] as const

/** Body of `POST /send` (spec 4.2). */
export const SendBody = z
  .strictObject({
    to: z.string().min(1, 'must not be empty').max(200, 'must be at most 200 characters').optional().meta({
      description: 'E.164 number with or without +, or `chan:<user id>`.',
      example: '+919812345678',
    }),
    recipient: z
      .string()
      .min(1, 'must not be empty')
      .max(150, 'must be at most 150 characters')
      .optional()
      .meta({ description: "The customer's chat-network user id; `to` wins when both are sent." }),
    type: z.enum(SENDABLE_TYPES, `must be one of ${SENDABLE_TYPES.join(', ')}`),
    text: z
      .string('must be a text')
      .max(TEXT_MAX, `must be at most ${TEXT_MAX} characters`)
      .refine((text) => text.trim() !== '', 'must not be empty')
      .meta({ description: 'Needs an open 24-hour window.', example: 'Your order is on its way.' }),
    phoneNumberId: Id.optional().meta({ description: 'Sending number; default: the first active one.' }),
    replyTo: z
      .string()
      .min(1)
      .max(256)
      .optional()
      .meta({ description: 'The channel message id that this replies to.' }),
  })
  .refine((body) => body.to !== undefined || body.recipient !== undefined, {
    path: ['to'],
    message: 'is required (or recipient)',
  })
export type SendBody = z.output<typeof SendBody>

/** Body of `POST /conversations/{id}/read`. */
export const ReadBody = z.strictObject({
  typing: z.boolean().optional().meta({
    description:
      'Shows the customer that somebody is writing, until an answer comes or 25 seconds have passed.',
  }),
})

/** Why a message failed: the operator's code and words, and what they mean for trying again. */
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
  .meta({ id: 'MessageError' })

/** A chat-network message in either direction (spec 2.5). */
export const Message = z
  .object({
    id: Id,
    chanmid: z
      .string()
      .nullable()
      .meta({ description: "The channel's id; null until the operator has given one." }),
    conversationId: Id,
    contactId: Id,
    phoneNumberId: Id,
    direction: z.enum(['inbound', 'outbound']),
    type: z.string(),
    content: z
      .record(z.string(), z.unknown())
      .meta({ description: "The payload of its type in the operator's shape." }),
    status: z
      .enum(MESSAGE_STATUSES)
      .nullable()
      .meta({ description: "Delivery of our message; null for a customer's." }),
    replyTo: z.string().nullable(),
    error: MessageError.nullable(),
    createdAt: Instant,
    sentAt: Instant.nullable(),
    deliveredAt: Instant.nullable(),
    readAt: Instant.nullable(),
    failedAt: Instant.nullable(),
  })
  .meta({ id: 'Message' })
