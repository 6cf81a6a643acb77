/** The days of a month as a calendar shows them, in the reader's own zone. */
import { formatLocale } from '../../texts.ts'

const two = (value: number): string => String(value).padStart(2, '0')

/** `2026-06-01`: the day of a moment. */
export const dayOf = (at: string | number | Date): string => {
  const date = new Date(at)
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** `2026-06`: the month of a moment. */
export const monthOf = (at: string | number | Date): string => dayOf(at).slice(0, 7)

/** Whether a text is a month. */
export const isMonth = (text: string | undefined): text is string =>
  /^\d{4}-(0[1-9]|1[0-2])$/.test(text ?? '')

const startOf = (month: string): Date => new Date(Number(month.slice(0, 4)), Number(month.slice(5)) - 1, 1)

export function monthAfter(month: string, by: 1 | -1): string {
  const date = startOf(month)
  return monthOf(date.setMonth(date.getMonth() + by))
}

type WithWeeks = Intl.Locale & { getWeekInfo?: () => { firstDay: number } }
/** 1 is Monday, 7 Sunday; browsers that do not know say Monday. */
const firstDay = ((new Intl.Locale(formatLocale) as WithWeeks).getWeekInfo?.().firstDay ?? 1) % 7

/** The weeks that hold the month, of seven days each. */
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

/** From the first moment that is shown until after the last, as the API takes it. */
export function stretchOf(month: string): { from: string; to: string } {
  const days = weeksOf(month).flat()
  const start = (day: string) => new Date(`${day}T00:00:00`)
  const after = start(days.at(-1)!)
  after.setDate(after.getDate() + 1)
  return { from: start(days[0]!).toISOString(), to: after.toISOString() }
}

/** The same hour so many days later, by the reader's clock. */
export function daysLater(at: string, days: number): string {
  const date = new Date(at)
  date.setDate(date.getDate() + days)
  return date.toISOString()
}
