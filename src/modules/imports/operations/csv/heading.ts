/** Which row of a file names its columns: not always the first, and not in every file. */
import { isEmail, isLongNumber } from '../cells/cell-kinds.ts'
import { isKnownColumn } from '../known-columns.ts'
import type { CsvRow } from './read-rows.ts'

/** What lies beyond so many cells decides nothing. */
const MAX_CELLS = 250

const filled = (cells: string[]): number => cells.filter((cell) => cell !== '').length

/** Whether a cell belongs to a person, so that its row names no columns. */
const isOfPerson = (cell: string): boolean => isEmail(cell) || isLongNumber(cell)

/**
 * The place of the row that names the columns among the first rows of a file; undefined when the file has none. Lines above it
 * that have a title, and nothing beside it, are passed over.
 */
export function findHeading(rows: CsvRow[]): number | undefined {
  const readable = rows.map(({ cells, fault }) => (fault === undefined ? cells.slice(0, MAX_CELLS) : []))
  const widths = readable.map(filled).toSorted((one, other) => one - other)
  const usual = widths[Math.floor(widths.length / 2)] ?? 1
  // A title has one cell, or two beside tables that are much wider.
  const isTable = (cells: string[]): boolean => filled(cells) > (usual > 6 ? 2 : usual > 1 ? 1 : 0)
  const first = readable.findIndex(isTable)
  if (first === -1) return 0
  const cells = readable[first]!
  if (cells.some(isOfPerson)) return undefined
  if (cells.some(isKnownColumn)) return first
  const named = knownBelow(readable, first)
  if (named !== undefined) return named
  // Where people's numbers are, a row of data has one or nothing, and a heading has its name.
  const below = readable.slice(first + 1)
  const numbers = cells.findIndex((_, i) => {
    const values = below.map((row) => row[i] ?? '').filter((cell) => cell !== '')
    return values.length > 0 && values.every(isLongNumber)
  })
  return numbers !== -1 && cells[numbers] === '' ? undefined : first
}

/** A row below that has names of columns, where no row of a person comes before it. */
function knownBelow(rows: string[][], first: number): number | undefined {
  for (let at = first + 1; at < rows.length; at++) {
    const cells = rows[at]!
    if (cells.some(isOfPerson)) return undefined
    if (filled(cells) >= filled(rows[first]!) && cells.some(isKnownColumn)) return at
  }
  return undefined
}
