/** The periods of the calendar: a month, or the week of a day, in the workspace's time zone. */
import { isMonth, monthAfter, rangeOfDays, weeksOf } from '../../kit/month-days.ts'
import { dayAfter, isDay, weekOf } from '../../kit/zone.ts'

/** `2026-06`, or the week of `2026-06-01`. */
export type Period = { kind: 'month'; month: string } | { kind: 'week'; day: string }

const DAYS_OF_WEEK = 7

/** Returns the period of an address; the month of today without one. */
export function periodOf(text: string | undefined, today: string): Period {
  if (isMonth(text)) return { kind: 'month', month: text }
  if (text !== undefined && isDay(text)) return { kind: 'week', day: text }
  return { kind: 'month', month: today.slice(0, 7) }
}

export const textOf = (period: Period): string => (period.kind === 'month' ? period.month : period.day)

/** Returns the next period of the same kind, or the one before. */
export const periodAfter = (period: Period, by: 1 | -1): Period =>
  period.kind === 'month'
    ? { kind: 'month', month: monthAfter(period.month, by) }
    : { kind: 'week', day: dayAfter(period.day, by * DAYS_OF_WEEK) }

/** Returns the same time as the other kind of period: the week of the first day, or of today if it is inside. */
export function switchKind(period: Period, kind: Period['kind'], today: string): Period {
  if (period.kind === kind) return period
  if (period.kind === 'week') return { kind: 'month', month: period.day.slice(0, 7) }
  return { kind: 'week', day: isInside(period, today) ? today : `${period.month}-01` }
}

/** Returns the days to show, in whole weeks. */
export const weeksIn = (period: Period): string[][] =>
  period.kind === 'month' ? weeksOf(period.month) : [weekOf(period.day)]

export const isInside = (period: Period, day: string): boolean =>
  period.kind === 'month' ? day.startsWith(period.month) : weekOf(period.day).includes(day)

/** Returns the range of the shown days, in the API's format. */
export const rangeOf = (period: Period, zone: string): { from: string; to: string } =>
  rangeOfDays(zone, weeksIn(period).flat())
