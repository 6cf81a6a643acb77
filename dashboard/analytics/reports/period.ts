/** The period of the reports: chosen in the address, in the days of the workspace. Pure. */
import { dayAfter, isDay, weekOf } from '../../kit/zone.ts'

export const PERIODS = ['week', 'lastWeek', 'days', 'month', 'lastMonth', 'own'] as const
export type PeriodName = (typeof PERIODS)[number]
export type Period = { from: string; to: string }

/** The choices in the address. */
export type ReportSearch = { period?: unknown; from?: unknown; to?: unknown; compare?: unknown }

const MAX_DAYS = 366
const MONTH = '2026-06'.length
const DEFAULT_DAYS = 30

const firstOfMonth = (day: string): string => `${day.slice(0, MONTH)}-01`
const lengthOf = ({ from, to }: Period): number => (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1

export const periodName = ({ period }: ReportSearch): PeriodName =>
  PERIODS.find((name) => name === period) ?? 'days'

/** Returns the chosen period; undefined if its own dates are not valid. */
export function periodOf(search: ReportSearch, today: string): Period | undefined {
  switch (periodName(search)) {
    case 'week':
      return { from: weekOf(today)[0]!, to: today }
    case 'lastWeek': {
      const week = weekOf(dayAfter(today, -7))
      return { from: week[0]!, to: week[6]! }
    }
    case 'days':
      return { from: dayAfter(today, 1 - DEFAULT_DAYS), to: today }
    case 'month':
      return { from: firstOfMonth(today), to: today }
    case 'lastMonth': {
      const to = dayAfter(firstOfMonth(today), -1)
      return { from: firstOfMonth(to), to }
    }
    case 'own': {
      const [from, to] = [search.from, search.to].map((day) => (typeof day === 'string' ? day : undefined))
      if (!isDay(from) || !isDay(to) || from > to || lengthOf({ from, to }) > MAX_DAYS) return undefined
      return { from, to }
    }
  }
}

/** Returns the period of the same length before. */
export const periodBefore = (period: Period): Period => ({
  from: dayAfter(period.from, -lengthOf(period)),
  to: dayAfter(period.from, -1),
})

/** Returns a change in percent, with its sign; undefined without a value before. */
export const changeIn = (value: number | null, before: number | null): number | undefined =>
  value === null || before === null || before === 0 ? undefined : Math.round((value / before - 1) * 100)
