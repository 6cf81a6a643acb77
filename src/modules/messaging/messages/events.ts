import { z } from 'zod'
import { event } from '../../../core/event.ts'
import { Id } from '../../../core/ids.ts'
import { Instant } from '../../../core/values/text.ts'
import { ContactInEvent } from '../contacts/schema.ts'
import { MessageContent } from './content-schema.ts'
import { MessageError } from './schema.ts'

const asha = {
  id: '0197a1b2-0000-7000-8000-000000000001',
  phone: '+919812345678',
  name: 'Asha Rao',
  userId: null,
  username: null,
}

/** Descriptions of the fields. */
const MESSAGE_EVENT_FIELDS = {
  chanmid: "The channel's id of the message; null until the operator assigns it.",
  errors: "The operator's errors; empty without one.",
  contact: 'The contact.',
  type: 'Kind of message, such as `text` or `image`.',
  status: 'The new state.',
  category: 'Category of the error, such as `recipient`.',
  errorCode: "The operator's error code.",
  errorTitle: "The operator's title of the error.",
  errorMessage: "The operator's message.",
  failedAt: 'When it failed, in UTC.',
}

export const messageReceived = event({
  name: 'message.received',
  when: 'A contact sent a message. Duplicates from the operator are removed.',
  scope: 'messages:read',
  data: z
    .object({
      messageId: Id,
      chanmid: z.string(),
      conversationId: Id,
      contact: ContactInEvent,
      type: z.string(),
      content: MessageContent,
      sentAt: Instant.meta({
        description: 'When the customer sent it, in UTC, as the operator reported it.',
      }),
    })
    .meta({ fields: MESSAGE_EVENT_FIELDS }),
  example: {
    messageId: '0197a1b2-0000-7000-8000-000000000002',
    chanmid: 'wamid.HBgMOTE5ODEyMzQ1Njc4',
    conversationId: '0197a1b2-0000-7000-8000-000000000003',
    contact: asha,
    type: 'text',
    content: { body: 'Is the blue one in stock?' },
    sentAt: '2026-06-01T09:29:58.000Z',
  },
  touches: ({ messageId, conversationId, contact }) => ({
    message: messageId,
    conversation: conversationId,
    contact: contact?.id,
  }),
})

export const messageStatus = event({
  name: 'message.status',
  when: 'An outbound message changed to sent, delivered, read, or failed. Each state at most once; a state never goes back.',
  scope: 'messages:read',
  data: z
    .object({
      messageId: Id,
      chanmid: z.string().nullable(),
      conversationId: Id,
      status: z.enum(['sent', 'delivered', 'read', 'failed']),
      errors: z.array(MessageError),
    })
    .meta({ fields: MESSAGE_EVENT_FIELDS }),
  example: {
    messageId: '0197a1b2-0000-7000-8000-000000000004',
    chanmid: 'wamid.HBgMOTE5ODEyMzQ1Njc5',
    conversationId: '0197a1b2-0000-7000-8000-000000000003',
    status: 'delivered',
    errors: [],
  },
  touches: ({ messageId, conversationId }) => ({ message: messageId, conversation: conversationId }),
})

export const messageFailed = event({
  name: 'message.failed',
  when: 'An outbound message failed permanently. Once per message; never for a skipped message.',
  scope: 'messages:read',
  data: z
    .object({
      messageId: Id,
      chanmid: z.string().nullable(),
      conversationId: Id,
      contact: ContactInEvent,
      type: z.string(),
      category: z.string(),
      errorCode: z.number(),
      errorTitle: z.string(),
      errorMessage: z.string(),
      permanent: z.boolean(),
      retryable: z.boolean(),
      failedAt: Instant,
    })
    .meta({ fields: MESSAGE_EVENT_FIELDS }),
  example: {
    messageId: '0197a1b2-0000-7000-8000-000000000005',
    chanmid: 'wamid.HBgMOTE5ODEyMzQ1Njgw',
    conversationId: '0197a1b2-0000-7000-8000-000000000003',
    contact: asha,
    type: 'text',
    category: 'recipient',
    errorCode: 131026,
    errorTitle: 'Message undeliverable',
    errorMessage: 'Message Undeliverable.',
    permanent: true,
    retryable: false,
    failedAt: '2026-06-01T09:30:02.000Z',
  },
  touches: ({ messageId, conversationId }) => ({ message: messageId, conversation: conversationId }),
})

export const flowCompleted = event({
  name: 'flow.completed',
  when: 'A customer submitted an in-chat form. `message.received` reports the same message. An unreadable answer triggers only `message.received`.',
  scope: 'messages:read',
  data: z
    .object({
      messageId: Id,
      contactId: Id,
      fields: z.record(z.string(), z.unknown()).meta({
        description: "Answers by the names of the form's fields. The form's token is not included.",
      }),
    })
    .meta({ fields: MESSAGE_EVENT_FIELDS }),
  example: {
    messageId: '0197a1b2-0000-7000-8000-000000000006',
    contactId: asha.id,
    fields: { delivery_rating: '4', comment_text: 'Quick and friendly' },
  },
  touches: ({ messageId, contactId }) => ({ message: messageId, contact: contactId }),
})

export const callMissed = event({
  name: 'call.missed',
  when: 'A customer called, and the call was not answered. Once per call.',
  scope: 'conversations:read',
  data: z
    .object({
      callId: z.string().meta({ description: "The channel's id of the call." }),
      contactId: Id,
      conversationId: Id,
      phone: z.string().meta({ description: 'Phone number in E.164 with `+`, or `chan:<user id>`.' }),
      startedAt: Instant,
    })
    .meta({ fields: MESSAGE_EVENT_FIELDS }),
  example: {
    callId: 'wacid.ABGGFjFVU2AfAgo6V',
    contactId: asha.id,
    conversationId: '0197a1b2-0000-7000-8000-000000000003',
    phone: asha.phone,
    startedAt: '2026-06-01T09:30:00.000Z',
  },
  touches: ({ conversationId, contactId }) => ({ conversation: conversationId, contact: contactId }),
})
