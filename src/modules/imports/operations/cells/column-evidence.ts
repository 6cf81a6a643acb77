/** What all values of a column together say about it, counted while the file is read. */

import { isEmail, isLongNumber } from './cell-kinds.ts'
import { callingCodeOfCell } from './country-cell.ts'
import { orderShownBy } from './date-cell.ts'
import { decimalsShownBy } from './number-cell.ts'
import { unguarded } from './unguarded.ts'

/** How many cells of a column are or show what. */
export type ColumnEvidence = {
  filled: number
  phones: number
  emails: number
  countries: number
  point: number
  comma: number
  /** Of them those with both signs, or with several groups. */
  strongPoint: number
  strongComma: number
  dayFirst: number
  monthFirst: number
  /** Dates of figures that could be in either order. */
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
/** Without one of them a number shows nothing about its decimals. */
const DECIMAL_SIGN = /[.,٫٬，．]/

/** Adds what a cell shows. Most cells are names, e-mails and plain digits: they are told apart first. */
export function noteCell(evidence: ColumnEvidence, cell: string): void {
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
  const shown = DECIMAL_SIGN.test(text) ? decimalsShownBy(text) : undefined
  if (shown) {
    evidence[shown.decimals]++
    if (shown.strongly) evidence[shown.decimals === 'point' ? 'strongPoint' : 'strongComma']++
  }
  const order = orderShownBy(text)
  if (order === 'open') evidence.openDates++
  else if (order) evidence[order]++
}
