import { z } from 'zod'
import { Id } from '../../core/ids.ts'
import { wholeNumber } from '../../core/paging.ts'

/** Longest window of `GET /analytics` (spec 8.2). */
export const DAYS_MAX = 90
const DAYS_DEFAULT = 30

export const AnalyticsQuery = z.object({
  days: wholeNumber(1, DAYS_MAX)
    .default(DAYS_DEFAULT)
    .meta({
      description: `Days of the window, today included: 1 to ${DAYS_MAX}; ${DAYS_DEFAULT} unless said.`,
      type: 'integer',
      minimum: 1,
      maximum: DAYS_MAX,
    }),
  phoneNumberId: Id.optional().meta({ description: 'Only what happened on this number of ours.' }),
})
export type AnalyticsQuery = z.output<typeof AnalyticsQuery>

const whole = (description: string) => z.number().int().meta({ description })

const MessageCounts = z
  .object({
    received: whole('Messages that customers wrote.'),
    sent: whole('Messages of ours that the operator sent.'),
    delivered: whole('Those that arrived.'),
    read: whole('Those that were read.'),
    failed: whole('Those that failed for good; skipped ones are not among them.'),
    skipped: whole('Those that were deliberately not sent.'),
  })
  .meta({ id: 'MessageCounts' })

const Activity = {
  messages: MessageCounts,
  conversations: z.object({ opened: whole('24-hour windows that customers opened.') }),
}
export const Day = z.iso.date().meta({ example: '2026-06-01' })

/** Counts of a window by day and in total (spec 4.3). */
export const Analytics = z
  .object({
    days: z.number().int(),
    from: Day,
    to: Day,
    timezone: z.string().meta({ description: "The workspace's time zone, which days are of." }),
    total: z.object(Activity),
    byDay: z.array(z.object({ date: Day, ...Activity })).meta({ description: 'Every day, oldest first.' }),
    byType: z
      .array(MessageCounts.extend({ type: z.string() }))
      .meta({ description: 'The total by kind of message, for kinds that have any.' }),
  })
  .meta({ id: 'Analytics' })
