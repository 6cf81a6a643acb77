/** Reading the network's values: numbers may come as text, times in two spellings. */

/** A whole number from 0 on, else null. */
export function countOrNull(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
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
