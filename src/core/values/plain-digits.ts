// Nearly every text has only ASCII digits, so most texts skip the conversion.
const BEYOND_ASCII = /[^\0-\x7f]/

/** Returns a text with the digits of every script as 0 to 9. */
export const plainDigits = (text: string): string =>
  BEYOND_ASCII.test(text) ? text.replace(/\p{Nd}/gu, plainDigit) : text

/** Converts a digit: `९` is 9. The digits of a script start at a code point that ends in 0 or 6. */
function plainDigit(digit: string): string {
  const code = digit.codePointAt(0)!
  const place = code % 16
  return String(place < 6 || /\p{Nd}/u.test(String.fromCodePoint(code - place)) ? place : place - 6)
}
