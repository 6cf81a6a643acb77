/** Computes the days of a month in a calendar, and times on these days in a time zone. */
import { dayAfter, instantOf, localOf, startOfDay, weekOf } from './zone.ts'

/** Returns whether a text is a month: `2026-06`. */
export const isMonth = (text: string | undefined): text is string =>
  /^\d{4}-(0[1-9]|1[0-2])$/.test(text ?? '')

export const monthAfter = (month: string, by: 1 | -1): string =>
  new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)) - 1 + by)).toISOString().slice(0, 7)

/** Returns the weeks that contain the month, of seven days each. */
export function weeksOf(month: string): string[][] {
  const weeks: string[][] = []
  for (let week = weekOf(`${month}-01`); week[0]!.slice(0, 7) <= month; week = weekOf(dayAfter(week[0]!, 7)))
    weeks.push(week)
  return weeks
}

/** Returns the range from the start of the first day to the end of the last, in the API's format. */
export const rangeOfDays = (zone: string, days: string[]): { from: string; to: string } => ({
  from: startOfDay(zone, days[0]!),
  to: startOfDay(zone, dayAfter(days.at(-1)!, 1)),
})

/** Returns the same hour on another day, by the clocks of the zone. */
export const onDay = (zone: string, time: string, day: string): string =>
  instantOf(zone, { day, minute: localOf(zone, time).minute })

/** Returns the same hour a number of days later, by the clocks of the zone. */
export const daysLater = (zone: string, time: string, days: number): string =>
  onDay(zone, time, dayAfter(localOf(zone, time).day, days))
