import { cutText } from '../../../../../core/values/cut-text.ts'

const MAX_NAME = 100

/** Request bodies reject this name, so a column with it couldn't be mapped. */
const UNUSABLE = '__proto__'

/**
 * Returns unique names of the columns. A repeated name gets a number. A missing or unusable name is replaced
 * by the column's position.
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
