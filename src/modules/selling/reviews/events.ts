import { z } from 'zod'
import { event } from '../../../core/event.ts'
import { Id } from '../../../core/ids.ts'
import { Instant } from '../../../core/values/text.ts'
import { ABOUT, REVIEW_SUBJECT_FIELDS } from './schema.ts'

export const reviewReceived = event({
  name: 'review.received',
  when: "A customer answered a review request. Once per request. `low` is true if the rating is at or below the workspace's limit.",
  scope: 'reviews:read',
  data: z
    .object({
      reviewId: Id,
      rating: z.number().int().min(1).max(5),
      comment: z.string().nullable(),
      low: z.boolean(),
      about: z.enum(ABOUT),
      subjectId: Id,
      subjectLabel: z.string(),
      contactId: Id.nullable(),
      customerName: z.string().nullable(),
      answeredAt: Instant,
    })
    .meta({ fields: REVIEW_SUBJECT_FIELDS }),
  example: {
    reviewId: '01978f2e-9c1b-7d30-8a44-3f5f0e6b9a20',
    rating: 5,
    comment: 'Fits well.',
    low: false,
    about: 'invoice',
    subjectId: '01978f2e-9c1b-7d30-8a44-3f5f0e6b9a21',
    subjectLabel: 'INV/26-27/0001',
    contactId: '01978f2e-9c1b-7d30-8a44-3f5f0e6b9a10',
    customerName: 'Asha Rao',
    answeredAt: '2026-06-01T09:30:00.000Z',
  },
  touches: ({ reviewId }) => ({ review: reviewId }),
})
