import { callingCodeOfCountry } from '../../../../core/country.ts'

const MAX_CHARACTERS = 60
const REMEMBERED = 5_000
let recent = new Map<string, string | undefined>()
let older = new Map<string, string | undefined>()
/** E-mails, numbers and sentences name no country. */
const NO_COUNTRY = /@|\d{5}|[.!?]\s/

/** The calling code that a cell names as a country. Columns hold the same few countries again and again, and most cells are something else. */
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
