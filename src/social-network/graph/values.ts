/** Reading the network's values: numbers may come as text, ids as numbers, times in two spellings. */
import { digitsAsText, idOrNull, textAsNumber, textOrNull } from '../../core/storable.ts'

/** An id of the network, else null. */
export const networkIdOrNull = (value: unknown): string | null => idOrNull(digitsAsText(value))

/** What somebody wrote: a number is its digits. Null for nothing. */
export const wordsOrNull = (value: unknown): string | null =>
  textOrNull(typeof value === 'number' ? String(value) : value)

/** For `JSON.parse`: an id with more digits than a number holds stays as it is written. */
export const withWholeIds = (_key: string, value: unknown, written?: { source?: string }): unknown =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^\d+$/.test(written?.source ?? '')
    ? written!.source
    : value

/** A whole number from 0 on, else null. */
export function countOrNull(value: unknown): number | null {
  const number = textAsNumber(value)
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : null
}

/** A time such as `2026-07-01T10:00:00+0000`, else null. */
export function timeOrNull(value: unknown): Date | null {
  if (typeof value !== 'string') return null
  const at = new Date(value.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))
  return Number.isNaN(at.getTime()) ? null : at
}

const MAX_SECONDS = 100_000_000_000

/** A time in seconds or milliseconds since 1970, else null. */
export function unixTimeOrNull(value: unknown): Date | null {
  const number = countOrNull(value)
  if (number === null || number === 0) return null
  const at = new Date(number < MAX_SECONDS ? number * 1000 : number)
  return Number.isNaN(at.getTime()) || at.getUTCFullYear() > 9999 ? null : at
}
