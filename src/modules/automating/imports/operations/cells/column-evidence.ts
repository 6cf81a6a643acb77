/** Statistics over all values of a column, counted while the file is read. */

import { isEmail, isLongNumber } from './cell-kinds.ts'
import { callingCodeOfCell } from './country-cell.ts'
import { dayOrderIn } from './date-cell.ts'
import { decimalsIn } from './number-cell.ts'
import { unguarded } from './strip-guards.ts'

/** The number of cells with each property in a column. */
export type ColumnEvidence = {
  filled: number
  phones: number
  emails: number
  countries: number
  point: number
  comma: number
  /** Of these, cells with both separators, or with several groups. */
  strongPoint: number
  strongComma: number
  dayFirst: number
  monthFirst: number
  /** Numeric dates that fit either order. */
  openDates: number
}

const NONE: ColumnEvidence = {
  filled: 0,
  phones: 0,
  emails: 0,
  countries: 0,
  point: 0,
  comma: 0,
  strongPoint: 0,
  strongComma: 0,
  dayFirst: 0,
  monthFirst: 0,
  openDates: 0,
}

const MAX_CHARACTERS = 60

export const noEvidence = (): ColumnEvidence => ({ ...NONE })

const DIGITS = /^\+?\d+$/
const HAS_DIGIT = /\p{Nd}/u
/** A number without one of these characters shows nothing about decimals. */
const DECIMAL_SIGN = /[.,٫٬，．]/

/**
 * Adds the properties of a cell. Most cells are names, emails, and plain digits, so these are recognized
 * first.
 */
export function recordCell(evidence: ColumnEvidence, cell: string): void {
  if (cell === '') return
  evidence.filled++
  if (cell.length > MAX_CHARACTERS || cell.includes('@')) {
    if (isEmail(cell)) evidence.emails++
    return
  }
  const text = unguarded(cell)
  if (isLongNumber(text)) evidence.phones++
  else if (callingCodeOfCell(text) !== undefined) evidence.countries++
  if (DIGITS.test(text) || !HAS_DIGIT.test(text)) return
  const decimalEvidence = DECIMAL_SIGN.test(text) ? decimalsIn(text) : undefined
  if (decimalEvidence) {
    evidence[decimalEvidence.decimals]++
    if (decimalEvidence.strongly)
      evidence[decimalEvidence.decimals === 'point' ? 'strongPoint' : 'strongComma']++
  }
  const order = dayOrderIn(text)
  if (order === 'open') evidence.openDates++
  else if (order) evidence[order]++
}
