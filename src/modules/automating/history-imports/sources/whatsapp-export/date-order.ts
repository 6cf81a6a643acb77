/** Decides the order of day and month in an exported chat. Its messages are in the order of their time. */
import type { DayOrder } from '../../../imports/operations/cells/date-cell.ts'
import type { Stamp } from './line-header.ts'

const ORDERS = ['dayFirst', 'monthFirst'] as const

/** Returns the day and the month. */
export const partsOf = (stamp: Stamp, order: DayOrder): { day: number; month: number } =>
  stamp.isYearFirst || order === 'monthFirst'
    ? { day: stamp.second, month: stamp.first }
    : { day: stamp.first, month: stamp.second }

/** Collects what the dates of a chat show, one after another. */
export function dateOrderEvidence() {
  /** Dates that an order makes impossible, or earlier than the date before them. */
  const faults = { dayFirst: 0, monthFirst: 0 }
  const before = { dayFirst: 0, monthFirst: 0 }
  let isYearFirst = true
  let hasDots = false
  return {
    look(stamp: Stamp): void {
      isYearFirst &&= stamp.isYearFirst
      hasDots ||= stamp.sign === '.'
      for (const order of ORDERS) {
        const { day, month } = partsOf(stamp, order)
        const value = stamp.year * 10_000 + month * 100 + day
        if (month > 12 || day > 31) faults[order] += 100
        else if (value < before[order]) faults[order]++
        else before[order] = value
      }
    },
    /** Returns the order; undefined if the dates fit both. */
    decide(): DayOrder | undefined {
      if (isYearFirst) return 'monthFirst'
      if (faults.dayFirst !== faults.monthFirst)
        return faults.dayFirst < faults.monthFirst ? 'dayFirst' : 'monthFirst'
      return hasDots ? 'dayFirst' : undefined
    },
  }
}
