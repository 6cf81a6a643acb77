/**
 * What others send us may hold what PostgreSQL refuses: NUL, lone surrogates, nesting without end. Refusing the
 * whole report for it would lose a customer's message, so the offending part is taken out instead.
 */
const maxDepth = 32

/** The text without NUL; lone surrogates become U+FFFD. */
export function storableText(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed()
  return whole.includes('\0') ? whole.replaceAll('\0', '') : whole
}

/** A JSON value whose texts and keys are storable; what lies deeper than 32 levels becomes null. Most are so as they come. */
export const storableJson = (value: unknown): unknown =>
  isStorable(value, 0) ? value : storableCopy(value, 0)

const isStorableText = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

function isStorable(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return isStorableText(value)
  if (typeof value !== 'object' || value === null) return true
  if (depth >= maxDepth) return false
  if (Array.isArray(value)) return value.every((item) => isStorable(item, depth + 1))
  for (const key in value) {
    if (!isStorableText(key) || !isStorable((value as Record<string, unknown>)[key], depth + 1)) return false
  }
  return true
}

function storableCopy(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return storableText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= maxDepth) return null
  if (Array.isArray(value)) return value.map((item) => storableCopy(item, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [storableText(key), storableCopy(item, depth + 1)]),
  )
}

/** Whether `value` is a JSON object. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The objects of a JSON array; none when it is not an array. */
export const objectsIn = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter(isObject) : []

/** A storable text that says something, else null. */
export function textOrNull(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const text = storableText(value)
  return text === '' ? null : text
}

/** A whole number as its digits, where others write them as a text; anything else as it is. */
export const digitsAsText = (value: unknown): unknown => (Number.isSafeInteger(value) ? String(value) : value)

/** The text of a whole number as the number, where others write numbers so; anything else as it is. */
export const textAsNumber = (value: unknown): unknown =>
  typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value

const maxIdLength = 512

/** An id given by the operator: a text that fits an index, else null. */
export function idOrNull(value: unknown): string | null {
  const text = textOrNull(value)
  return text !== null && text.length <= maxIdLength ? text : null
}
