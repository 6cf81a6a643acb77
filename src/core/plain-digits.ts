// Nearly every text has the digits of ASCII alone, which need no look at each.
const BEYOND_ASCII = /[^\0-\x7f]/

/** A text with the digits of every script as 0 to 9. */
export const plainDigits = (text: string): string =>
  BEYOND_ASCII.test(text) ? text.replace(/\p{Nd}/gu, plainDigit) : text

/** `९` is 9: where digits of a script begin, the last place of their code is 0 or 6. */
function plainDigit(digit: string): string {
  const code = digit.codePointAt(0)!
  const place = code % 16
  return String(place < 6 || /\p{Nd}/u.test(String.fromCodePoint(code - place)) ? place : place - 6)
}
