/** Counts of messages and conversations by day (spec 4.3; DECISIONS.md). */
import type { z } from 'zod'
import type { Context } from '../../../core/context.ts'
import { COUNTED } from '../../../core/count.ts'
import { dayOf, daysBefore } from '../../../core/values/calendar.ts'
import { type Counts, listCounts } from './queries.ts'
import type { Analytics, AnalyticsQuery } from './schema.ts'

const sum = (rows: Counts[]): Counts =>
  Object.fromEntries(
    COUNTED.map((name) => [name, rows.reduce((total, row) => total + row[name], 0)]),
  ) as Counts

const messagesOf = ({ received, sent, delivered, read, failed, skipped }: Counts) => ({
  received,
  sent,
  delivered,
  read,
  failed,
  skipped,
})

const activityOf = (rows: Counts[]) => {
  const counts = sum(rows)
  return { messages: messagesOf(counts), conversations: { opened: counts.opened } }
}

/** Returns the counts of the last `days` days in the workspace's time zone, today included. */
export async function readAnalytics(
  ctx: Context,
  { days, phoneNumberId }: AnalyticsQuery,
): Promise<z.input<typeof Analytics>> {
  const { timezone } = ctx.workspace
  const to = dayOf(ctx.now, timezone)
  const dates = Array.from({ length: days }, (_, i) => daysBefore(to, days - 1 - i))
  const from = dates[0]!
  const rows = await listCounts(ctx, { from, to, phoneNumberId })
  const byDate = Map.groupBy(rows, (row) => row.day)
  const byType = Map.groupBy(rows, (row) => row.type)
  // Counts other than messages have no type.
  byType.delete('')
  return {
    days,
    from,
    to,
    timezone,
    total: activityOf(rows),
    byDay: dates.map((date) => ({ date, ...activityOf(byDate.get(date) ?? []) })),
    byType: [...byType]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([type, counts]) => ({ type, ...messagesOf(sum(counts)) })),
  }
}
