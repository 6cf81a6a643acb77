/** Handles amounts of documents: stored in minor units of their currency, typed and shown in its units. */
import { moneyLocale } from '../../texts.ts'

const formats = new Map<string, Intl.NumberFormat>()

function formatOf(currency: string): Intl.NumberFormat {
  const cached = formats.get(currency)
  if (cached) return cached
  const format = new Intl.NumberFormat(moneyLocale(currency), { style: 'currency', currency })
  formats.set(currency, format)
  return format
}

const digitsOf = (currency: string): number => formatOf(currency).resolvedOptions().maximumFractionDigits ?? 2

export const formatMinor = (minor: number, currency: string): string =>
  formatOf(currency).format(minor / 10 ** digitsOf(currency))

/** Returns a typed amount in minor units; undefined if it is not an amount. */
export function minorOf(text: string, currency: string): number | undefined {
  const [whole = '', fraction = '', ...more] = text.trim().replaceAll(',', '').split('.')
  const digits = digitsOf(currency)
  const isAmount = /^\d{1,11}$/.test(whole) && /^\d*$/.test(fraction) && fraction.length <= digits
  return isAmount && more.length === 0 ? Number(whole + fraction.padEnd(digits, '0')) : undefined
}

/** Returns an amount in the form in which users type it. */
export function typedMinor(minor: number, currency: string): string {
  const digits = digitsOf(currency)
  const text = String(minor).padStart(digits + 1, '0')
  const whole = text.slice(0, text.length - digits)
  const fraction = text.slice(text.length - digits)
  return /^0*$/.test(fraction) ? whole : `${whole}.${fraction}`
}

/** Returns a number with at most three decimals; undefined for other texts. */
export function numberOf(text: string): number | undefined {
  const plain = text.trim().replaceAll(',', '')
  return /^\d{1,9}(\.\d{1,3})?$/.test(plain) ? Number(plain) : undefined
}
