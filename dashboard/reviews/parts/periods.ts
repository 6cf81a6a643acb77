/** The span of the reviews, and its weeks and months. Days are those of the workspace. Pure. */
import { dayAfter } from '../../kit/zone.ts'

export const SPANS = ['always', 'year', 'quarter'] as const
export type Span = (typeof SPANS)[number]
export const PERIODS = ['week', 'month'] as const
export type Period = (typeof PERIODS)[number]

/** The choices in the address. */
type Search = { span?: string; by?: string }

const SPAN_WEEKS = 12
const SPAN_MONTHS = 12
const MONTH = '2026-06'.length

export const spanOf = ({ span }: Search): Span => SPANS.find((name) => name === span) ?? 'always'

/** Returns the chosen period: by default weeks for twelve weeks, and months for longer spans. */
export const periodOf = (search: Search): Period =>
  PERIODS.find((name) => name === search.by) ?? (spanOf(search) === 'quarter' ? 'week' : 'month')

/** Returns the first day of the month that is some months after the month of a day. */
function monthAfter(day: string, by: number): string {
  const month = new Date(`${day.slice(0, MONTH)}-01T00:00:00Z`)
  month.setUTCMonth(month.getUTCMonth() + by)
  return month.toISOString().slice(0, 10)
}

/** Returns the Monday of the week of a day: the server's weeks start on Mondays. */
function mondayOf(day: string): string {
  const daysSince = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7
  return dayAfter(day, -daysSince)
}

/** Returns the first day of a span that ends today; undefined for all time. */
export function firstDayOf(span: Span, today: string): string | undefined {
  if (span === 'quarter') return mondayOf(dayAfter(today, -7 * (SPAN_WEEKS - 1)))
  return span === 'year' ? monthAfter(today, 1 - SPAN_MONTHS) : undefined
}

/** Returns the first days of the weeks or months from one day to another. */
export function periodsBetween(period: Period, from: string, to: string): string[] {
  const periods: string[] = []
  let first = period === 'week' ? mondayOf(from) : monthAfter(from, 0)
  while (first <= to) {
    periods.push(first)
    first = period === 'week' ? dayAfter(first, 7) : monthAfter(first, 1)
  }
  return periods
}
