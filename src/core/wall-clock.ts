/** Times of day in time zones, as instants. */
import { DAY_MINUTES, minutesOf } from './calendar.ts'

/**
 * The instants that a range of the day begins and ends at. A time that the clocks skip moves forward by what they skip; of one
 * that they show twice a range begins at the first and ends at the second.
 */
export type Instants = {
  from(date: string, time: string): number
  to(date: string, time: string, isNextDay: boolean): number
}

/** Instants in a zone. Each day and time is computed once. */
export function instantsIn(timeZone: string): Instants {
  const known = new Map<string, number>()
  const reckon = (date: string, minutes: number, disambiguation: 'compatible' | 'later'): number => {
    const key = `${date} ${minutes} ${disambiguation}`
    let at = known.get(key)
    if (at === undefined) {
      const wall = Temporal.PlainDate.from(date).toPlainDateTime().add({ minutes })
      at = wall.toZonedDateTime(timeZone, { disambiguation }).epochMilliseconds
      known.set(key, at)
    }
    return at
  }
  return {
    from: (date, time) => reckon(date, minutesOf(time)!, 'compatible'),
    to: (date, time, isNextDay) => reckon(date, minutesOf(time)! + (isNextDay ? DAY_MINUTES : 0), 'later'),
  }
}

/** The days of a zone that a stretch of time touches, and one more at each end. */
export function daysAround(from: Date, to: Date, timeZone: string): { date: string; weekday: number }[] {
  const dateOf = (at: Date) =>
    Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone).toPlainDate()
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
