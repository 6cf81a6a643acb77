import { cutText } from '../../../../core/cut-text.ts'

const MAX_NAME = 100

/** The one name that no body may hold, so that nobody could map its column. */
const UNUSABLE = '__proto__'

/**
 * The names of the columns, each its own: one that comes again is numbered, one that is missing or unusable is called by
 * its place.
 */
export function columnNames(cells: string[]): string[] {
  const names = new Set<string>()
  for (const [i, cell] of cells.entries()) {
    const name = (cell !== UNUSABLE && cutText(cell, MAX_NAME)) || `column ${i + 1}`
    let own = name
    for (let number = i + 1; names.has(own); number++) own = `${cutText(name, MAX_NAME - 8)} (${number})`
    names.add(own)
  }
  return [...names]
}
