/** Computes when a schedule runs next, in local time. */
import type { Schedule } from './schema.ts'

/**
 * The number of days that the search looks ahead. The next day of a monthly schedule is never further away.
 */
const DAYS_AHEAD = 62

const isDayOf = ({ every, days }: Schedule, date: Temporal.PlainDate): boolean => {
  if (every === 'day') return true
  const scheduledDays = days ?? [1]
  if (every === 'week') return scheduledDays.includes(date.dayOfWeek)
  // A shorter month runs on its last day.
  return scheduledDays.some((day) => date.day === Math.min(day, date.daysInMonth))
}

/**
 * Returns the first moment after `after` at the schedule's local time on one of its days. A time that DST
 * skips runs later by the gap; a time that DST repeats runs the first time only.
 */
export function nextTime(schedule: Schedule, after: Date, timeZone: string): Date {
  const local = Temporal.Instant.fromEpochMilliseconds(after.getTime()).toZonedDateTimeISO(timeZone)
  const time = Temporal.PlainTime.from(schedule.at)
  for (let ahead = 0; ahead <= DAYS_AHEAD; ahead++) {
    const date = local.toPlainDate().add({ days: ahead })
    if (!isDayOf(schedule, date)) continue
    const candidate = date.toPlainDateTime(time).toZonedDateTime(timeZone, { disambiguation: 'compatible' })
    if (candidate.epochMilliseconds > after.getTime()) return new Date(candidate.epochMilliseconds)
  }
  throw new Error('a schedule has a day in every two months')
}
