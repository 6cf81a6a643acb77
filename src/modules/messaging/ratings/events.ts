import { z } from 'zod'
import { event } from '../../../core/event.ts'
import { Id } from '../../../core/ids.ts'

export const conversationRated = event({
  name: 'conversation.rated',
  when: 'A customer rated a chat from 1 to 5, by a tap or by a single digit. Once per conversation.',
  scope: 'conversations:read',
  data: z
    .object({ conversationId: Id, score: z.number().int().min(1).max(5) })
    .meta({ fields: { score: 'Rating of the customer, from 1 (bad) to 5 (very good).' } }),
  example: { conversationId: '01978f2e-9c1b-7d30-8a44-3f5f0e6b9a11', score: 5 },
  touches: ({ conversationId }) => ({ conversation: conversationId }),
})
