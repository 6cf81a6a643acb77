import { z } from 'zod'
import { event } from '../../../../core/event.ts'
import { Id } from '../../../../core/ids.ts'
import { Instant, JsonObject } from '../../../../core/values/text.ts'
import { SocialContact } from './schema.ts'

export const socialMessageReceived = event({
  name: 'social.message.received',
  when: 'A customer wrote in a direct chat of the photo network. Several photos arrive as one event each, with the text on the first. Each is reported once.',
  scope: 'social:read',
  data: z
    .object({
      messageId: Id,
      mid: z
        .string()
        .meta({ description: "The network's id of the message. Photos that arrived together share it." }),
      conversationId: Id,
      contact: SocialContact,
      type: z.string(),
      content: JsonObject,
      receivedAt: Instant,
    })
    .meta({
      fields: {
        contact: 'The customer.',
        type: 'Kind of message, such as `text` or `image`.',
        content: "Content of the message, in the network's format.",
        receivedAt: 'When it was received, in UTC.',
      },
    }),
  example: {
    messageId: '01978f2e-9c1b-7d30-8a44-3f5f0e6b9a10',
    mid: 'aWdfZAG1faXRlbToxOk',
    conversationId: '01978f2e-9c1b-7d30-8a44-3f5f0e6b9a11',
    contact: { id: '01978f2e-9c1b-7d30-8a44-3f5f0e6b9a12', name: 'Asha Rao', username: 'asha_r' },
    type: 'text',
    content: { text: 'Is this in stock?' },
    receivedAt: '2026-06-01T09:30:00.000Z',
  },
  touches: ({ conversationId }) => ({ socialConversation: conversationId, conversation: conversationId }),
})
