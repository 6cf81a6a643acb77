/**
 * Finds the heading: the row with the column names. It isn't always the first row, and some files have none.
 */
import { isEmail, isLongNumber } from '../cells/cell-kinds.ts'
import { isKnownColumn } from '../known-columns.ts'
import type { CsvRow } from './read-rows.ts'

/** Cells after this position don't count. */
const MAX_CELLS = 250

const countFilled = (cells: string[]): number => cells.filter((cell) => cell !== '').length

/** Returns whether a cell belongs to a person, so that its row is not a heading. */
const isOfPerson = (cell: string): boolean => isEmail(cell) || isLongNumber(cell)

/**
 * Returns the position of the heading among the first rows of a file; undefined if the file has none. Skips
 * title lines above it.
 */
export function findHeading(rows: CsvRow[]): number | undefined {
  const readable = rows.map(({ cells, fault }) => (fault === undefined ? cells.slice(0, MAX_CELLS) : []))
  const widths = readable.map(countFilled).toSorted((width, other) => width - other)
  const usualWidth = widths[Math.floor(widths.length / 2)] ?? 1
  // A title line has one cell, or two if the table is much wider.
  const isTable = (cells: string[]): boolean =>
    countFilled(cells) > (usualWidth > 6 ? 2 : usualWidth > 1 ? 1 : 0)
  const first = readable.findIndex(isTable)
  if (first === -1) return 0
  const cells = readable[first]!
  if (cells.some(isOfPerson)) return undefined
  if (cells.some(isKnownColumn)) return first
  const knownRow = knownBelow(readable, first)
  if (knownRow !== undefined) return knownRow
  // In a column of phone numbers, a data row has a number or nothing, and a heading has a name.
  const rowsBelow = readable.slice(first + 1)
  const numbers = cells.findIndex((_, i) => {
    const values = rowsBelow.map((row) => row[i] ?? '').filter((cell) => cell !== '')
    return values.length > 0 && values.every(isLongNumber)
  })
  return numbers !== -1 && cells[numbers] === '' ? undefined : first
}

/** Returns a lower row with known column names, if no row with a person comes before it. */
function knownBelow(rows: string[][], first: number): number | undefined {
  for (let i = first + 1; i < rows.length; i++) {
    const cells = rows[i]!
    if (cells.some(isOfPerson)) return undefined
    if (countFilled(cells) >= countFilled(rows[first]!) && cells.some(isKnownColumn)) return i
  }
  return undefined
}
