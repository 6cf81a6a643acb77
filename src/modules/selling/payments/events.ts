import { z } from 'zod'
import { event } from '../../../core/event.ts'
import { Id } from '../../../core/ids.ts'
import { Instant } from '../../../core/values/text.ts'

export const paymentPaid = event({
  name: 'payment.paid',
  when: 'An in-chat payment was paid. If `paidPaise` differs from `totalPaise`, check before you deliver. Once per payment request.',
  scope: 'payments:read',
  data: z
    .object({
      paymentRequestId: Id,
      referenceId: z.string(),
      conversationId: Id,
      contactId: Id,
      totalPaise: z.int(),
      paidPaise: z.int(),
      currency: z.literal('INR'),
      paymentMethod: z.string().nullable(),
      paidAt: Instant,
    })
    .meta({
      fields: { paymentRequestId: 'Id of the payment request.', referenceId: 'Your own order number.' },
    }),
  example: {
    paymentRequestId: '01970f3e-8a6b-7c1d-9e2f-3a4b5c6d7e8f',
    referenceId: 'ORD-1001',
    conversationId: '01970f3e-8a6b-7c1d-9e2f-3a4b5c6d7e90',
    contactId: '01970f3e-8a6b-7c1d-9e2f-3a4b5c6d7e91',
    totalPaise: 48_000,
    paidPaise: 48_000,
    currency: 'INR',
    paymentMethod: 'upi',
    paidAt: '2026-06-01T09:30:00.000Z',
  },
  touches: ({ paymentRequestId, conversationId }) => ({
    paymentRequest: paymentRequestId,
    conversation: conversationId,
  }),
})
