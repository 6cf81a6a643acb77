/**
 * Masks the phone numbers and email addresses of customers, for callers from whom an owner hides them
 * (src/modules/platform/access/DECISIONS.md "Hidden numbers and email addresses").
 */
import { callingCodeOf } from './phone-plans.ts'

const DOT = '•'
/** The digits at the end of a number that stay. */
const KEPT_DIGITS = 2
/** Texts with fewer digits are no phone numbers. */
const MIN_DIGITS = 6
/** Numbers with ten or fewer digits and no plus sign may lack a country code. */
const MIN_NATIONAL_DIGITS = 10
const MAX_DIGITS = 17

const digitsIn = (text: string): string => text.replace(/\D/g, '')

/**
 * Returns a number with its country code and its last two digits: `+91••••••••42`. A number without a country code keeps
 * only the last two digits. Texts that are no number, such as `chan:…`, stay.
 */
export function hidePhone(phone: string): string {
  if (!/^[+\d\s().-]+$/.test(phone)) return phone
  const digits = digitsIn(phone)
  if (digits.length < MIN_DIGITS) return phone
  const isInternational = phone.startsWith('+') || (phone === digits && digits.length > MIN_NATIONAL_DIGITS)
  const code = isInternational ? (callingCodeOf(`+${digits}`) ?? '') : ''
  const hidden = DOT.repeat(digits.length - code.length - KEPT_DIGITS)
  return `${phone.startsWith('+') ? '+' : ''}${code}${hidden}${digits.slice(-KEPT_DIGITS)}`
}

/** Returns an email address with its first character and its domain: `a•••@example.com`. */
export function hideEmail(email: string): string {
  const at = email.lastIndexOf('@')
  return at < 1 ? email : `${String.fromCodePoint(email.codePointAt(0)!)}${DOT.repeat(3)}${email.slice(at)}`
}

const DATE = /^\d{4}-\d\d-\d\d/

/** Whether a text as a whole is written like a phone number. */
function isLikePhone(text: string): boolean {
  if (!/^\+?[\d\s().-]+$/.test(text) || DATE.test(text)) return false
  const { length } = digitsIn(text)
  return length >= (text.startsWith('+') ? MIN_DIGITS : MIN_NATIONAL_DIGITS) && length <= MAX_DIGITS
}

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** Masks a text that as a whole is written like a phone number or an email address; others stay. */
export function hideWhole(text: string): string {
  const trimmed = text.trim()
  if (isLikePhone(trimmed)) return hidePhone(trimmed)
  return EMAIL.test(trimmed) ? hideEmail(trimmed) : text
}

// The ends keep ids and times whole.
const PHONES_INSIDE = /(?<![\w-])\+?\d(?:[\s().-]{0,2}\d){8,16}(?![\w-])/g
// Begins only where such a text begins, so that a long one is read once.
const EMAILS_INSIDE =
  /(?<![^\s@"'<>,;:=&()[\]{}])[^\s@"'<>,;:=&()[\]{}]+@[^\s@"'<>,;:=&()[\]{}]+\.[^\s@"'<>,;:=&()[\]{}]+/g

/** Masks everything in a text that is written like a phone number of at least nine digits, or an email address. */
export const hideInside = (text: string): string =>
  text
    .replace(EMAILS_INSIDE, (email) => hideEmail(email))
    .replace(PHONES_INSIDE, (phone) => (DATE.test(phone) ? phone : hidePhone(phone)))
