/** When a schedule runs next, by the clocks of a time zone. */
import type { Schedule } from './schema.ts'

/** Days that the search looks ahead: a monthly day is never further. */
const DAYS_AHEAD = 62

const isDayOf = ({ every, days }: Schedule, date: Temporal.PlainDate): boolean => {
  if (every === 'day') return true
  const wanted = days ?? [1]
  if (every === 'week') return wanted.includes(date.dayOfWeek)
  // A month that is shorter runs on its last day.
  return wanted.some((day) => date.day === Math.min(day, date.daysInMonth))
}

/**
 * The first moment after `after` at which the local clock shows the time on one of the days. A time that the clocks skip comes as
 * much later; one that they show twice comes once, the first time.
 */
export function nextTime(schedule: Schedule, after: Date, timeZone: string): Date {
  const local = Temporal.Instant.fromEpochMilliseconds(after.getTime()).toZonedDateTimeISO(timeZone)
  const time = Temporal.PlainTime.from(schedule.at)
  for (let ahead = 0; ahead <= DAYS_AHEAD; ahead++) {
    const date = local.toPlainDate().add({ days: ahead })
    if (!isDayOf(schedule, date)) continue
    const at = date.toPlainDateTime(time).toZonedDateTime(timeZone, { disambiguation: 'compatible' })
    if (at.epochMilliseconds > after.getTime()) return new Date(at.epochMilliseconds)
  }
  throw new Error('a schedule has a day in every two months')
}
