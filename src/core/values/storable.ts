/**
 * Input from others may contain data that PostgreSQL refuses: NUL, lone surrogates, deep nesting. Refusing the whole report
 * would lose a customer's message, so the invalid part is removed instead.
 */
const MAX_DEPTH = 32

/** Returns the text without NUL, and with U+FFFD for lone surrogates. */
export function storableText(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed()
  return wellFormed.includes('\0') ? wellFormed.replaceAll('\0', '') : wellFormed
}

/** Returns a JSON value with storable texts and keys; levels deeper than `maxDepth` become null. Most values are returned unchanged. */
export const storableJson = (value: unknown, maxDepth = MAX_DEPTH): unknown =>
  isStorable(value, maxDepth) ? value : storableCopy(value, maxDepth)

const isStorableText = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

function isStorable(value: unknown, levels: number): boolean {
  if (typeof value === 'string') return isStorableText(value)
  if (typeof value !== 'object' || value === null) return true
  if (levels <= 0) return false
  if (Array.isArray(value)) return value.every((item) => isStorable(item, levels - 1))
  for (const key in value) {
    if (!isStorableText(key) || !isStorable((value as Record<string, unknown>)[key], levels - 1)) return false
  }
  return true
}

function storableCopy(value: unknown, levels: number): unknown {
  if (typeof value === 'string') return storableText(value)
  if (typeof value !== 'object' || value === null) return value
  if (levels <= 0) return null
  if (Array.isArray(value)) return value.map((item) => storableCopy(item, levels - 1))
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, item]) => [storableText(key), storableCopy(item, levels - 1)] as const)
      // Without its NUL, a name could become that of the prototype.
      .filter(([name]) => name !== '__proto__'),
  )
}

/** Whether `value` is a JSON object. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the objects of a JSON array; none if it is not an array. */
export const objectsIn = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter(isObject) : []

/** Returns a storable text that is not blank, else null. */
export function textOrNull(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const text = storableText(value)
  return text === '' ? null : text
}

/** Returns a storable text that is not blank, cut to `max` UTF-16 units, without spaces around it; else null. */
export function shortTextOrNull(value: unknown, max: number): string | null {
  if (typeof value !== 'string') return null
  const text = storableText(value.slice(0, max)).trim()
  return text === '' ? null : text
}

/** Returns a whole number as its digits, because some senders write it as text; any other value unchanged. */
export const digitsAsText = (value: unknown): unknown => (Number.isSafeInteger(value) ? String(value) : value)

/** Returns the text of a whole number as a number, because some senders write numbers as text; any other value unchanged. */
export const textAsNumber = (value: unknown): unknown =>
  typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value

const maxIdLength = 512

/** Returns an id from the operator if it fits an index, else null. */
export function idOrNull(value: unknown): string | null {
  const text = textOrNull(value)
  return text !== null && text.length <= maxIdLength ? text : null
}
