import { callingCodeOfCountry } from '../../../../../core/values/country.ts'

const MAX_CHARACTERS = 60
const REMEMBERED = 5_000
let recent = new Map<string, string | undefined>()
let older = new Map<string, string | undefined>()
/** Emails, numbers, and sentences are not countries. */
const NO_COUNTRY = /@|\d{5}|[.!?]\s/

/**
 * Returns the calling code of a country in a cell. Cached, because columns repeat a few countries and most
 * cells are other text.
 */
export function callingCodeOfCell(cell: string): string | undefined {
  if (cell === '' || cell.length > MAX_CHARACTERS || NO_COUNTRY.test(cell)) return undefined
  if (recent.has(cell)) return recent.get(cell)
  const code = older.has(cell) ? older.get(cell) : callingCodeOfCountry(cell)
  if (recent.size >= REMEMBERED) {
    older = recent
    recent = new Map()
  }
  recent.set(cell, code)
  return code
}
