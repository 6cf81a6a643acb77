import { formatLocale } from '../../texts.ts'
import { t } from '../texts.ts'

/** Returns an answer as text. */
export const formatValue = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(formatValue).join(', ')
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Returns an option of a summary: the options of a consent are `true` and `false`. */
export const formatOption = (value: string, kind: string | null | undefined): string =>
  kind === 'consent' && (value === 'true' || value === 'false') ? t(value === 'true' ? 'yes' : 'no') : value

const numbers = new Intl.NumberFormat(formatLocale, { maximumFractionDigits: 9 })
const shares = new Intl.NumberFormat(formatLocale, { style: 'percent', maximumFractionDigits: 0 })
const days = new Intl.DateTimeFormat(formatLocale, { dateStyle: 'medium', timeZone: 'UTC' })

export const formatCount = (count: number): string => numbers.format(count)
export const formatShare = (part: number, whole: number): string =>
  shares.format(whole === 0 ? 0 : part / whole)

/** Returns a number or a date of a range. */
export const formatLimit = (value: string, kind: string | null): string =>
  kind === 'date' ? days.format(Date.parse(`${value}T00:00:00Z`)) : numbers.format(Number(value))
