/** Whether a business is open at a moment. Pure. */
import type { NewBusinessHours } from './schema.ts'

type Hours = Pick<NewBusinessHours, 'timeZone' | 'weekly' | 'overrides'>

/** By what the clocks of its zone show: a day that stands in `overrides` goes by its own ranges alone. */
export function isOpenAt({ timeZone, weekly, overrides }: Hours, at: Date): boolean {
  const there = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone)
  const date = there.toPlainDate().toString()
  const time = there.toPlainTime().toString().slice(0, '09:30'.length)
  const ranges =
    overrides.find((one) => one.date === date)?.ranges ?? weekly.filter(({ day }) => day === there.dayOfWeek)
  return ranges.some(({ from, to }) => from <= time && time < to)
}
