import { z } from 'zod'
import { event } from '../../../core/event.ts'
import { Id } from '../../../core/ids.ts'
import { Instant } from '../../../core/values/text.ts'
import { DECIDERS, VARIANT_NAMES } from './variant-schema.ts'

export const broadcastCompleted = event({
  name: 'broadcast.completed',
  when: 'A campaign processed all recipients: each is queued, skipped, or excluded. Once per campaign; deliveries may still follow.',
  scope: 'broadcasts:read',
  data: z
    .object({
      broadcastId: Id,
      name: z.string(),
      templateName: z.string(),
      totals: z.object({
        queued: z.number().int(),
        sent: z.number().int(),
        delivered: z.number().int(),
        read: z.number().int(),
        failed: z.number().int(),
        skipped: z.number().int(),
      }),
      recipients: z
        .number()
        .int()
        .meta({ description: 'Number of recipients that the campaign has processed.' }),
      startedAt: Instant,
      completedAt: Instant,
    })
    .meta({
      fields: {
        broadcastId: 'Id of the campaign.',
        name: 'Name of the campaign.',
        totals: 'Number of messages by their state so far.',
        'totals.queued': 'Messages that were created.',
        'totals.sent': 'Messages sent.',
        'totals.delivered': 'Messages delivered.',
        'totals.read': 'Messages read.',
        'totals.failed': 'Messages that failed.',
        'totals.skipped': 'Recipients who were deliberately skipped.',
        completedAt: 'When the last recipient was processed, in UTC.',
      },
    }),
  example: {
    broadcastId: '0197a1b2-0000-7000-8000-000000000031',
    name: 'Diwali offer',
    templateName: 'diwali_offer',
    totals: { queued: 970, sent: 310, delivered: 295, read: 120, failed: 4, skipped: 30 },
    recipients: 1000,
    startedAt: '2026-06-01T09:30:00.000Z',
    completedAt: '2026-06-01T09:30:04.000Z',
  },
  touches: ({ broadcastId }) => ({ broadcast: broadcastId }),
})

export const broadcastVariantChosen = event({
  name: 'broadcast.variant_chosen',
  when: 'The variant for the rest of the audience of a campaign that compares templates was chosen. Once per campaign.',
  scope: 'broadcasts:read',
  data: z
    .object({
      broadcastId: Id,
      name: z.string(),
      variant: z.enum(VARIANT_NAMES).meta({ description: 'Chosen variant: A, B, or C.' }),
      templateName: z.string(),
      decideBy: z.enum([...DECIDERS]).meta({
        description: 'Rate that chose the variant, such as `read`; `manual` if an admin chose it.',
      }),
    })
    .meta({ fields: { broadcastId: 'Id of the campaign.', name: 'Name of the campaign.' } }),
  example: {
    broadcastId: '0197a1b2-0000-7000-8000-000000000031',
    name: 'Diwali offer',
    variant: 'B',
    templateName: 'diwali_offer_short',
    decideBy: 'replied',
  },
  touches: ({ broadcastId }) => ({ broadcast: broadcastId }),
})
