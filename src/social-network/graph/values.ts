/** Reads the network's values: numbers may be texts, ids may be numbers, and times have two formats. */
import { digitsAsText, idOrNull, textAsNumber, textOrNull } from '../../core/values/storable.ts'

/** Returns an id of the network, else null. */
export const networkIdOrNull = (value: unknown): string | null => idOrNull(digitsAsText(value))

/** Returns written text; a number becomes its digits. Null if empty. */
export const wordsOrNull = (value: unknown): string | null =>
  textOrNull(typeof value === 'number' ? String(value) : value)

/** A `JSON.parse` reviver: an id with more digits than a number can represent stays as text. */
export const withWholeIds = (_key: string, value: unknown, written?: { source?: string }): unknown =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^\d+$/.test(written?.source ?? '')
    ? written!.source
    : value

/** Returns a whole number from 0, else null. */
export function countOrNull(value: unknown): number | null {
  const number = textAsNumber(value)
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : null
}

/** Returns a time such as `2026-07-01T10:00:00+0000`, else null. */
export function timeOrNull(value: unknown): Date | null {
  if (typeof value !== 'string') return null
  const time = new Date(value.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))
  return Number.isNaN(time.getTime()) ? null : time
}

const MAX_SECONDS = 100_000_000_000

/** Returns a time in seconds or milliseconds since 1970, else null. */
export function unixTimeOrNull(value: unknown): Date | null {
  const number = countOrNull(value)
  if (number === null || number === 0) return null
  const time = new Date(number < MAX_SECONDS ? number * 1000 : number)
  return Number.isNaN(time.getTime()) || time.getUTCFullYear() > 9999 ? null : time
}
