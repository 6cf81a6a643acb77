/** Times of day in time zones, as instants. */
import { minutesOf } from '../../../core/calendar.ts'

/**
 * The instants that a range of the day begins and ends at. A time that the clocks skip moves forward by what they skip; of one
 * that they show twice a range begins at the first and ends at the second.
 */
export type Instants = { from(date: string, time: string): number; to(date: string, time: string): number }

/** Instants in a zone; the same day and time are asked for by many, and reckoned once. */
export function instantsIn(timeZone: string): Instants {
  const known = new Map<string, number>()
  const reckon = (date: string, time: string, disambiguation: 'compatible' | 'later'): number => {
    const key = `${date} ${time} ${disambiguation}`
    let at = known.get(key)
    if (at === undefined) {
      const minutes = minutesOf(time)!
      const wall = Temporal.PlainDate.from(date).toPlainDateTime().add({ minutes })
      at = wall.toZonedDateTime(timeZone, { disambiguation }).epochMilliseconds
      known.set(key, at)
    }
    return at
  }
  return {
    from: (date, time) => reckon(date, time, 'compatible'),
    to: (date, time) => reckon(date, time, 'later'),
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
