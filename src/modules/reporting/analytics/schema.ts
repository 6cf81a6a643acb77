import { z } from 'zod'
import { windowDays } from '../../../core/day-window.ts'
import { Id } from '../../../core/ids.ts'

export const AnalyticsQuery = z.object({
  days: windowDays,
  phoneNumberId: Id.optional().meta({ description: 'Only events on this number of yours.' }),
})
export type AnalyticsQuery = z.output<typeof AnalyticsQuery>

const wholeNumber = (description: string) => z.number().int().meta({ description })

const MessageCounts = z
  .object({
    received: wholeNumber('Messages that customers wrote.'),
    sent: wholeNumber('Messages that the operator sent for you.'),
    delivered: wholeNumber('Messages that were delivered.'),
    read: wholeNumber('Messages that were read.'),
    failed: wholeNumber('Messages that failed permanently. Skipped messages are not included.'),
    skipped: wholeNumber('Messages that were deliberately not sent.'),
  })
  .meta({ id: 'MessageCounts', description: 'Counts of messages by direction and delivery state.' })

const Activity = {
  messages: MessageCounts,
  conversations: z.object({ opened: wholeNumber('24-hour windows that customers opened.') }),
}
export const Day = z.iso.date().meta({ example: '2026-06-01' })

/** Counts of a window by day and in total (spec 4.3). */
export const Analytics = z
  .object({
    days: z.number().int(),
    from: Day,
    to: Day,
    timezone: z.string().meta({ description: "The workspace's time zone, which defines the days." }),
    total: z.object(Activity),
    byDay: z.array(z.object({ date: Day, ...Activity })).meta({ description: 'Every day, oldest first.' }),
    byType: z
      .array(MessageCounts.extend({ type: z.string() }))
      .meta({ description: 'Totals by type of message, for types with messages.' }),
  })
  .meta({
    id: 'Analytics',
    description: 'Messages and conversations of a period, in total, by day, and by kind.',
    fields: {
      days: 'Number of days counted, today included.',
      from: 'First day counted, such as `2026-06-01`.',
      to: 'Last day counted, such as `2026-06-30`.',
      total: 'Counts of the whole period.',
      'total.messages': 'Messages of the period.',
      'total.conversations': '24-hour windows of the period.',
      'byDay.messages': 'Messages of the day.',
      'byDay.conversations': '24-hour windows of the day.',
      'byType.type': 'Kind of message, such as `text` or `image`.',
    },
  })
