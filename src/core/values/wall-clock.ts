/** Converts times of day in a time zone to instants. */
import { DAY_MINUTES, minutesOf } from './calendar.ts'

/**
 * The instants at which a range of the day starts and ends. A time that the clocks skip moves forward by the skipped hour; of a
 * time that occurs twice, a range starts at the first and ends at the second.
 */
export type Instants = {
  from(date: string, time: string): number
  to(date: string, time: string, isNextDay: boolean): number
}

/** Returns the instants in a zone. Each day and time is computed once. */
export function instantsIn(timeZone: string): Instants {
  const cache = new Map<string, number>()
  const toEpochMs = (date: string, minutes: number, disambiguation: 'compatible' | 'later'): number => {
    const key = `${date} ${minutes} ${disambiguation}`
    let epochMs = cache.get(key)
    if (epochMs === undefined) {
      const localTime = Temporal.PlainDate.from(date).toPlainDateTime().add({ minutes })
      epochMs = localTime.toZonedDateTime(timeZone, { disambiguation }).epochMilliseconds
      cache.set(key, epochMs)
    }
    return epochMs
  }
  return {
    from: (date, time) => toEpochMs(date, minutesOf(time)!, 'compatible'),
    to: (date, time, isNextDay) => toEpochMs(date, minutesOf(time)! + (isNextDay ? DAY_MINUTES : 0), 'later'),
  }
}

/** Returns the days in a zone that a period touches, and one more at each end. */
export function daysAround(from: Date, to: Date, timeZone: string): { date: string; weekday: number }[] {
  const dateOf = (time: Date) =>
    Temporal.Instant.fromEpochMilliseconds(time.getTime()).toZonedDateTimeISO(timeZone).toPlainDate()
  const last = dateOf(to).add({ days: 1 })
  const days: { date: string; weekday: number }[] = []
  for (
    let day = dateOf(from).subtract({ days: 1 });
    Temporal.PlainDate.compare(day, last) <= 0;
    day = day.add({ days: 1 })
  )
    days.push({ date: day.toString(), weekday: day.dayOfWeek })
  return days
}
