/** The report of messages by day and by hour of the week (DECISIONS.md). */
import type { z } from 'zod'
import type { Context } from '../../../../core/context.ts'
import { allowLongReads, requireCostlyRead } from '../../../../database/sql/costly-reads.ts'
import { idBounds, localTimes, type Period, QUARTER_SECONDS } from '../period.ts'
import { countByQuarter } from '../queries/messages.ts'
import { MAX_COUNTED, type VolumeReport } from '../schema.ts'

const QUARTER_MS = QUARTER_SECONDS * 1_000
const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7]
const HOURS = Array.from({ length: 24 }, (_, hour) => hour)
type Counts = { received: number; sent: number }

/** Returns the sums of rows by key; a key without rows has zeros. */
function sumsBy<Row extends Counts>(rows: readonly Row[], keyOf: (row: Row) => string) {
  const sums = new Map<string, Counts>()
  for (const row of rows) {
    const sum = sums.get(keyOf(row)) ?? { received: 0, sent: 0 }
    sum.received += row.received
    sum.sent += row.sent
    sums.set(keyOf(row), sum)
  }
  return (key: string): Counts => sums.get(key) ?? { received: 0, sent: 0 }
}

/** Returns the messages of the period by day and by hour of the week. Refuses `rate_limited`. */
export async function readVolume(ctx: Context, period: Period): Promise<z.input<typeof VolumeReport>> {
  await requireCostlyRead(ctx)
  await allowLongReads(ctx.tx)
  const { from, to, start, end, dates } = period
  const { timezone } = ctx.workspace
  const quarters = await countByQuarter(ctx, { ...idBounds(ctx, start, end), start, end, max: MAX_COUNTED })
  const localTimeOf = localTimes(start, end, timezone)
  const rows = quarters.map((row) => ({ ...row, ...localTimeOf(row.quarter * QUARTER_MS) }))
  const byDate = sumsBy(rows, ({ date }) => date)
  const byHour = sumsBy(rows, ({ weekday, hour }) => `${weekday} ${hour}`)
  const total = sumsBy(rows, () => '')('')
  const isCut = total.received + total.sent >= MAX_COUNTED
  return {
    from,
    to,
    timezone,
    ...total,
    byDay: dates.map((date) => ({ date, ...byDate(date) })),
    byHour: WEEKDAYS.flatMap((weekday) =>
      HOURS.map((hour) => ({ weekday, hour, ...byHour(`${weekday} ${hour}`) })),
    ),
    countedSince: isCut ? new Date(quarters[0]!.quarter * QUARTER_MS).toISOString() : null,
  }
}
