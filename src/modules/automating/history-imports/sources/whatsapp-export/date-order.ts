/** Decides the order of day, month, and year in an exported chat. Its messages are in the order of their time. */
import type { DayOrder } from '../../../imports/operations/cells/date-cell.ts'
import type { Stamp } from './line-header.ts'

/** yearFirst: years of two digits before the month. */
export type ChatOrder = DayOrder | 'yearFirst'
const ORDERS = ['dayFirst', 'monthFirst', 'yearFirst'] as const
/** The chat app appeared in this year. */
const FIRST_YEAR = 2009
const CENTURY = 2_000
/** Counts more than any number of dates that are a little out of order. */
const IMPOSSIBLE = 100

/** Returns the day, the month, and the year. */
export function partsOf(stamp: Stamp, order: ChatOrder): { day: number; month: number; year: number } {
  const { first, second, year } = stamp
  if (stamp.isYearFirst || order === 'monthFirst') return { day: second, month: first, year }
  if (order === 'yearFirst' && stamp.isShort) return { day: year % 100, month: second, year: CENTURY + first }
  return { day: first, month: second, year }
}

/** Collects what the dates of a chat show, one after another. Years after `lastYear` are impossible. */
export function dateOrderEvidence(lastYear: number) {
  /** Dates that an order makes impossible, or earlier than the date before them. */
  const faults = { dayFirst: 0, monthFirst: 0, yearFirst: 0 }
  const before = { dayFirst: 0, monthFirst: 0, yearFirst: 0 }
  let isYearFirst = true
  let isShort = true
  let hasDots = false
  let hasHangul = false
  return {
    look(stamp: Stamp): void {
      isYearFirst &&= stamp.isYearFirst
      isShort &&= stamp.isShort
      hasDots ||= stamp.sign === '.'
      hasHangul ||= stamp.hasHangul
      for (const order of ORDERS) {
        const { day, month, year } = partsOf(stamp, order)
        const value = year * 10_000 + month * 100 + day
        const isNoYear = stamp.isShort && year < CENTURY + 100 && (year < FIRST_YEAR || year > lastYear)
        if (month > 12 || day > 31 || isNoYear) faults[order] += IMPOSSIBLE
        else if (value < before[order]) faults[order]++
        else before[order] = value
      }
    },
    /** Returns the order; undefined if the dates fit several. */
    decide(): ChatOrder | undefined {
      if (isYearFirst) return 'monthFirst'
      if (isShort && hasHangul) return 'yearFirst'
      const fewest = Math.min(faults.dayFirst, faults.monthFirst)
      if (isShort && fewest >= IMPOSSIBLE && faults.yearFirst < fewest) return 'yearFirst'
      if (faults.dayFirst !== faults.monthFirst) return faults.dayFirst === fewest ? 'dayFirst' : 'monthFirst'
      return hasDots ? 'dayFirst' : undefined
    },
  }
}
