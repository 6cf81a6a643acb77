/**
 * Reads the content of a message in the operator's shape, where any field may be missing and unknown fields
 * may be present.
 */
import { formatLocale, moneyLocale } from '../../../texts.ts'

export type Content = Record<string, unknown>

export const isObject = (value: unknown): value is Content =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const objectIn = (content: Content | undefined, name: string): Content | undefined =>
  isObject(content?.[name]) ? content[name] : undefined
export const listIn = (content: Content | undefined, name: string): Content[] => {
  const value = content?.[name]
  return Array.isArray(value) ? value.filter(isObject) : []
}
export const textIn = (content: Content | undefined, name: string): string | undefined => {
  const value = content?.[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}
export const numberIn = (content: Content | undefined, name: string): number | undefined => {
  const value = content?.[name]
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** Formats an amount in the message's currency. */
export function moneyOf(amount: number, currency: string | undefined): string {
  const options = { minimumFractionDigits: Number.isInteger(amount) ? 0 : 2, maximumFractionDigits: 2 }
  try {
    return new Intl.NumberFormat(moneyLocale(currency), { style: 'currency', currency, ...options }).format(
      amount,
    )
  } catch {
    return `${new Intl.NumberFormat(formatLocale, options).format(amount)} ${currency ?? ''}`.trim()
  }
}

/** Returns the amount of `{value, offset}`: 48,000 with 100 is 480. */
export const amountIn = (content: Content | undefined, name: string): number | undefined => {
  const amount = objectIn(content, name)
  const value = numberIn(amount, 'value')
  return value === undefined ? undefined : value / (numberIn(amount, 'offset') ?? 100)
}

/** Returns whether an address is on the web. Others, such as `javascript:`, are shown as plain text. */
export const isWebAddress = (address: string | undefined): address is string =>
  address !== undefined && /^https?:\/\//i.test(address)
