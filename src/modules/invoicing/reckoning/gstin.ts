/** The number of a taxpayer registered for GST: state, PAN, entity, Z and a check digit over all of them. */
const FORM = /^\d{2}[A-Z]{5}\d{4}[A-Z][1-9A-Z]Z[0-9A-Z]$/
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** The check digit of the first fourteen characters. */
export function gstinCheckDigit(head: string): string {
  const sum = head.split('').reduce((total, character, place) => {
    const product = DIGITS.indexOf(character) * (place % 2 === 0 ? 1 : 2)
    return total + Math.floor(product / DIGITS.length) + (product % DIGITS.length)
  }, 0)
  return DIGITS[(DIGITS.length - (sum % DIGITS.length)) % DIGITS.length]!
}

export const isGstin = (text: string): boolean =>
  FORM.test(text) && gstinCheckDigit(text.slice(0, -1)) === text.at(-1)

/** The state that a taxpayer is registered in. */
export const stateOfGstin = (gstin: string): string => gstin.slice(0, 2)
