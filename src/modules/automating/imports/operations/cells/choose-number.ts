/** Chooses the number in a row that the person chats with. */
import { countryOf, readNumber } from '../../../../../core/values/phone.ts'
import { isMobile } from '../../../../../core/values/phone-plans.ts'
import { hasLostDigits } from '../../../../../core/values/phone-text.ts'
import { callingCodeOfCell } from './country-cell.ts'
import { type NumberCandidate, numberCandidates } from './number-candidates.ts'

/**
 * A cell of a phone column, with the file's words for it: the column's name, and its label if another column
 * has one.
 */
export type PhoneCell = { column: string; cell: string; label: string }
/** `column`: the column with the country; null for none. */
export type CountryCell = { column: string | null; cell: string }

/**
 * The result. `text`: the number for the operations that store it; absent if the row has no number. `phone`:
 * its meaning, with its country (ISO 3166); null if only a stored contact can decide, for example for numbers
 * outside every numbering plan. `reason`: the error.
 */
export type ChosenNumber =
  | { text: string; phone: string; country: string }
  | { text: string; phone: null; reason: string }
  | { reason: string }

const FAX = /fax|pager|telex/i
const WHATSAPP = /whats\s?app/i
const MOBILE = /mobil|cell|iphone|handy|m[oó]vil|celular|मोबाइल/i
const FIXED = /home|work|business|office|main|landline|land line|assistant|company/i

type Usable = { text: string; phone: string; label: string }

/** Returns the rank, lowest first: chats are read on mobile phones, never on a fax. */
function rankOf({ phone, label }: Usable): number {
  const byLabel = WHATSAPP.test(label) ? 0 : MOBILE.test(label) ? 1 : FIXED.test(label) ? 3 : 2
  if (FAX.test(label)) return 100
  if (WHATSAPP.test(label)) return 0
  return (isMobile(phone) ? 10 : 20) + byLabel
}

const MAX_SHOWN = 40
export const shown = (cell: string): string =>
  `"${cell.length > MAX_SHOWN ? `${cell.slice(0, MAX_SHOWN)}…` : cell}"`

/** Returns whether a number includes its country code. */
const isInternational = (text: string): boolean => /^(?:[+＋]|00)/.test(text.replace(/[\s(]/g, ''))

/**
 * A candidate after reading. `stored`: a number outside every plan, which a contact may have. `needsCountry`:
 * no cell names its country.
 */
type CandidateReading = { usable: Usable } | { stored: string } | 'needsCountry' | undefined

function read({ text, label }: NumberCandidate, country: CountryCell, countryCode: string): CandidateReading {
  if (hasLostDigits(text)) return undefined
  const { fresh, stored } = readNumber(text, { countryCode, country: country.cell })
  if (fresh === undefined) return stored.length > 0 ? { stored: text } : undefined
  if (isInternational(text) || country.cell === '') return { usable: { text, phone: fresh, label } }
  if (callingCodeOfCell(country.cell) === undefined) return 'needsCountry'
  // Without the country, the same text would be another number.
  return { usable: { text: fresh, phone: fresh, label } }
}

/** Chooses the number of a row from the cells of its phone columns, in order of preference. */
export function chooseNumber(cells: PhoneCell[], country: CountryCell, defaultCode: string): ChosenNumber {
  const filledCells = cells.filter(({ cell }) => cell !== '')
  const candidates = filledCells.flatMap(({ cell, label }) =>
    numberCandidates(cell).map((candidate) =>
      read({ ...candidate, label: `${label} ${candidate.label}` }, country, defaultCode),
    ),
  )
  const found = candidates.flatMap((candidate) =>
    typeof candidate === 'object' && 'usable' in candidate ? [candidate.usable] : [],
  )
  if (found.length > 0) {
    // Equal ranks keep their order.
    const best = found.length === 1 ? found[0]! : found.toSorted((a, b) => rankOf(a) - rankOf(b))[0]!
    return { text: best.text, phone: best.phone, country: countryOf(best.phone.slice(1)) }
  }
  if (candidates.includes('needsCountry'))
    return {
      reason: `${country.column}: ${shown(country.cell)} isn't a country. Write its name, its code (IN) or its calling code (+91), or write the number with +.`,
    }
  const storedCandidate = candidates.find((candidate) => typeof candidate === 'object')
  const reason = noNumber(cells, filledCells)
  return storedCandidate && 'stored' in storedCandidate
    ? { text: storedCandidate.stored, phone: null, reason }
    : { reason }
}

export const NOT_A_NUMBER = "isn't a phone number. Write it with its country code, like +919812345678."

function noNumber(cells: PhoneCell[], filledCells: PhoneCell[]): string {
  const shortenedCell = filledCells.find(({ cell }) => hasLostDigits(cell))
  if (shortenedCell)
    return `${shortenedCell.column}: a spreadsheet has shortened the number to ${shortenedCell.cell}. Format the column as text there, with all digits, and export it again.`
  const [first] = filledCells
  if (!first) return `${cells.map(({ column }) => column).join(', ')}: is empty. A row needs a phone number.`
  return `${first.column}: ${shown(first.cell)} ${NOT_A_NUMBER}`
}
