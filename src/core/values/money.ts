/** Money in minor units. Products of amounts, quantities, and rates exceed 2^53, so they are computed with BigInt. */

import { type Language, localeOf } from './languages.ts'

/** The highest amount of a document. */
export const MAX_MINOR = 10_000_000_000_000

/** Quantities and rates have three decimals and are stored in thousandths. */
export const THOUSANDTHS = 1_000n
export const thousandths = (value: number): bigint => BigInt(Math.round(value * 1_000))

/** Returns a quotient rounded to a whole number, halves away from zero. */
export function divideRounded(dividend: bigint, divisor: bigint): bigint {
  const [numerator, denominator] = divisor < 0n ? [-dividend, -divisor] : [dividend, divisor]
  const rounded = ((numerator < 0n ? -numerator : numerator) * 2n + denominator) / (denominator * 2n)
  return numerator < 0n ? -rounded : rounded
}

const HUNDRED_PERCENT = 100n * THOUSANDTHS

/** Returns `rate` thousandths of a percent of an amount. */
export const shareOf = (amount: bigint, rate: bigint): bigint => divideRounded(amount * rate, HUNDRED_PERCENT)

/** Returns an amount without the `rate` thousandths of a percent that it includes. */
export const withoutShare = (amount: bigint, rate: bigint): bigint =>
  divideRounded(amount * HUNDRED_PERCENT, HUNDRED_PERCENT + rate)

/** Returns the locale for amounts and quantities in a currency: rupees in lakh and crore, all others in thousands. */
export const numberLocale = (currency: string, language: Language = 'en'): string =>
  currency === 'INR' && language !== 'hi' ? 'en-IN' : language === 'en' ? 'en' : localeOf(language)

const formats = new Map<string, { format: Intl.NumberFormat; digits: number }>()

function formatOf(
  currency: string,
  language: Language = 'en',
): { format: Intl.NumberFormat; digits: number } {
  const name = `${currency} ${language}`
  const cached = formats.get(name)
  if (cached) return cached
  const format = new Intl.NumberFormat(numberLocale(currency, language), { style: 'currency', currency })
  const currencyFormat = { format, digits: format.resolvedOptions().maximumFractionDigits ?? 2 }
  formats.set(name, currencyFormat)
  return currencyFormat
}

/** Returns the number of minor units in a unit of the currency. */
export const minorPerUnit = (currency: string): bigint => 10n ** BigInt(formatOf(currency).digits)

/** Returns an amount in units of its currency, for figures that are no longer exact money. */
export const inUnits = (minor: number, currency: string): number => minor / Number(minorPerUnit(currency))

/** Returns an amount as text, `₹12,34,567.80`. It is made from digits, so that no digit is lost. */
export function moneyText(minor: number, currency: string, language: Language = 'en'): string {
  const { format, digits } = formatOf(currency, language)
  const text = String(Math.abs(minor)).padStart(digits + 1, '0')
  const units = text.slice(0, text.length - digits)
  const decimal = digits === 0 ? units : `${units}.${text.slice(-digits)}`
  return format.format(`${minor < 0 ? '-' : ''}${decimal}` as Intl.StringNumericLiteral)
}
