/** Recognizes single cells by their format alone. */
import { plainDigits } from '../../../../../core/values/plain-digits.ts'
import { unguarded } from './strip-guards.ts'

const EMAIL = /^[^\s@,;]{1,64}@[^\s@,;]{1,190}\.[^\s@,;.]{2,}$/
export const isEmail = (cell: string): boolean => cell.length <= 254 && EMAIL.test(cell)

const PHONE_CHARACTERS = /^\+?[\d\s().\u00a0\u2010-\u2015/-]+$/
const DAY = /^\d{1,4}[-/. ]\d{1,2}[-/. ]\d{1,4}$/
const MAX_CHARACTERS = 40

/**
 * Returns whether a cell is certainly a phone number: nine digits or more, or a country code. No date has
 * this format.
 */
export function isLongNumber(cell: string): boolean {
  if (cell.length > MAX_CHARACTERS) return false
  const text = plainDigits(unguarded(cell)).trim()
  if (!PHONE_CHARACTERS.test(text) || DAY.test(text)) return false
  const digits = text.replace(/\D/g, '').length
  return digits <= 15 && digits >= (text.startsWith('+') ? 7 : 9)
}
