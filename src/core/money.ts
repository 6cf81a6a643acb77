/** Money in minor units. Products of amounts, quantities and rates pass 2^53, so they are made of BigInt. */

/** No amount of a document is higher. */
export const MAX_MINOR = 10_000_000_000_000

/** Quantities and rates have three decimals and are counted in thousandths. */
export const THOUSANDTHS = 1_000n
export const thousandths = (value: number): bigint => BigInt(Math.round(value * 1_000))

/** A quotient rounded to whole numbers, halves away from zero. */
export function divideRounded(dividend: bigint, divisor: bigint): bigint {
  const [top, bottom] = divisor < 0n ? [-dividend, -divisor] : [dividend, divisor]
  const rounded = ((top < 0n ? -top : top) * 2n + bottom) / (bottom * 2n)
  return top < 0n ? -rounded : rounded
}

const HUNDRED_PERCENT = 100n * THOUSANDTHS

/** `rate` thousandths of a percent of an amount. */
export const shareOf = (amount: bigint, rate: bigint): bigint => divideRounded(amount * rate, HUNDRED_PERCENT)

/** What is left of an amount when `rate` thousandths of a percent were added to it and are taken off again. */
export const withoutShare = (amount: bigint, rate: bigint): bigint =>
  divideRounded(amount * HUNDRED_PERCENT, HUNDRED_PERCENT + rate)

/** How amounts and quantities are written beside a currency: rupees in lakh and crore, all others in thousands. */
export const numberLocale = (currency: string): string => (currency === 'INR' ? 'en-IN' : 'en')

const formats = new Map<string, { format: Intl.NumberFormat; digits: number }>()

function formatOf(currency: string): { format: Intl.NumberFormat; digits: number } {
  const known = formats.get(currency)
  if (known) return known
  const format = new Intl.NumberFormat(numberLocale(currency), { style: 'currency', currency })
  const made = { format, digits: format.resolvedOptions().maximumFractionDigits ?? 2 }
  formats.set(currency, made)
  return made
}

/** How many minor units a unit of the currency has. */
export const minorPerUnit = (currency: string): bigint => 10n ** BigInt(formatOf(currency).digits)

/** An amount in units of its currency, for figures that are no amounts of money any more. */
export const inUnits = (minor: number, currency: string): number => minor / Number(minorPerUnit(currency))

/** An amount as text, `₹12,34,567.80`: made from digits, so that none is lost on the way. */
export function moneyText(minor: number, currency: string): string {
  const { format, digits } = formatOf(currency)
  const text = String(Math.abs(minor)).padStart(digits + 1, '0')
  const whole = text.slice(0, text.length - digits)
  const decimal = digits === 0 ? whole : `${whole}.${text.slice(-digits)}`
  return format.format(`${minor < 0 ? '-' : ''}${decimal}` as Intl.StringNumericLiteral)
}
