import { z } from 'zod'
import { event } from '../../../core/event.ts'
import { Id } from '../../../core/ids.ts'
import { Instant } from '../../../core/values/text.ts'
import { ContactInEvent } from '../contacts/schema.ts'

const contact = {
  id: '01978f2e-9c1b-7d30-8a44-3f5f0e6b9a10',
  phone: '+919812345678',
  name: 'Asha Rao',
  userId: null,
  username: null,
}

const CONVERSATION_EVENT_FIELDS = {
  contact: 'The contact.',
  windowExpiresAt: 'Until when free-form messages can be sent, in UTC.',
  openedAt: 'When the window opened, in UTC.',
  windowExpiredAt: 'Until when free-form messages could be sent, in UTC.',
  closedAt: 'When the window closed, in UTC.',
}

export const conversationOpened = event({
  name: 'conversation.opened',
  when: 'The 24-hour window opened: a customer wrote while it was closed. Further messages in the open window extend it and do not trigger the event.',
  scope: 'conversations:read',
  data: z
    .object({
      conversationId: Id,
      contact: ContactInEvent,
      windowExpiresAt: Instant,
      freeEntryExpiresAt: Instant.nullable(),
      openedAt: Instant,
    })
    .meta({ fields: CONVERSATION_EVENT_FIELDS }),
  example: {
    conversationId: '01978f2e-9c1b-7d30-8a44-3f5f0e6b9a11',
    contact,
    windowExpiresAt: '2026-06-02T09:30:00.000Z',
    freeEntryExpiresAt: null,
    openedAt: '2026-06-01T09:30:00.000Z',
  },
  touches: ({ conversationId }) => ({ conversation: conversationId }),
})

export const conversationClosed = event({
  name: 'conversation.closed',
  when: 'The 24-hour window closed. Only templates can be sent.',
  scope: 'conversations:read',
  data: z
    .object({
      conversationId: Id,
      contact: ContactInEvent,
      windowExpiredAt: Instant,
      closedAt: Instant,
    })
    .meta({ fields: CONVERSATION_EVENT_FIELDS }),
  example: {
    conversationId: '01978f2e-9c1b-7d30-8a44-3f5f0e6b9a11',
    contact,
    windowExpiredAt: '2026-06-02T09:30:00.000Z',
    closedAt: '2026-06-02T09:30:02.114Z',
  },
  touches: ({ conversationId }) => ({ conversation: conversationId }),
})
