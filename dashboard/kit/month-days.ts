/** Computes the days of a month in a calendar, in the reader's own time zone. */
import { firstDay } from './first-day.ts'

const twoDigits = (value: number): string => String(value).padStart(2, '0')

/** Returns the day of a time: `2026-06-01`. */
export const dayOf = (time: string | number | Date): string => {
  const date = new Date(time)
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`
}

/** Returns the month of a time: `2026-06`. */
export const monthOf = (time: string | number | Date): string => dayOf(time).slice(0, 7)

/** Returns whether a text is a month. */
export const isMonth = (text: string | undefined): text is string =>
  /^\d{4}-(0[1-9]|1[0-2])$/.test(text ?? '')

const startOf = (month: string): Date => new Date(Number(month.slice(0, 4)), Number(month.slice(5)) - 1, 1)

export function monthAfter(month: string, by: 1 | -1): string {
  const date = startOf(month)
  return monthOf(date.setMonth(date.getMonth() + by))
}

/** Returns the weeks that contain the month, of seven days each. */
export function weeksOf(month: string): string[][] {
  const date = startOf(month)
  date.setDate(1 - ((date.getDay() - firstDay + 7) % 7))
  const weeks: string[][] = []
  do {
    const week: string[] = []
    for (let i = 0; i < 7; i++) {
      week.push(dayOf(date))
      date.setDate(date.getDate() + 1)
    }
    weeks.push(week)
  } while (monthOf(date) <= month)
  return weeks
}

/** Returns the range from the first visible time until after the last, in the API's format. */
export function visibleRange(month: string): { from: string; to: string } {
  const days = weeksOf(month).flat()
  const start = (day: string) => new Date(`${day}T00:00:00`)
  const after = start(days.at(-1)!)
  after.setDate(after.getDate() + 1)
  return { from: start(days[0]!).toISOString(), to: after.toISOString() }
}

/** Returns the same hour on another day, by the reader's clock. */
export function onDay(time: string, day: string): string {
  const date = new Date(time)
  date.setFullYear(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1, Number(day.slice(8)))
  return date.toISOString()
}

/** Returns the same hour a number of days later, by the reader's clock. */
export function daysLater(time: string, days: number): string {
  const date = new Date(time)
  date.setDate(date.getDate() + days)
  return date.toISOString()
}
