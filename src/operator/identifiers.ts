/** Finds the identifiers of people and messages in any value from the operator. */
import { isObject, objectsIn, storableText } from '../core/values/storable.ts'

const MAX_LENGTH = 512
/** Digits of a written phone number, with the usual separators. */
const WRITTEN_NUMBER = /\d[\d\s().-]{5,}\d/g
/** Characters that no identifier contains. */
const BETWEEN = /[\s"'{}[\],:;<>()]+/

/**
 * Returns the identifiers in a JSON value, or in text that is not JSON: each text without spaces, parts of
 * longer texts that contain a digit, and every number of 7 to 15 digits as digits only. Extra values are
 * harmless, because they are only looked up.
 */
export function identifiersIn(value: unknown): string[] {
  const found = new Set<string>()
  const left: unknown[] = [value]
  while (left.length > 0) {
    const next = left.pop()
    if (typeof next === 'object' && next !== null) left.push(...Object.values(next))
    else if (typeof next === 'string' || typeof next === 'number')
      addIdentifiers(found, storableText(String(next)))
  }
  return [...found]
}

/** Returns the ids of the items in a value's lists: messages, echoes, calls. */
export const listedIds = (value: unknown): string[] =>
  Object.values(isObject(value) ? value : {}).flatMap((list) =>
    objectsIn(list).flatMap(({ id }) => (typeof id === 'string' ? [id] : [])),
  )

function addIdentifiers(found: Set<string>, text: string): void {
  const words = text.split(BETWEEN)
  for (const word of words)
    if (word !== '' && word.length <= MAX_LENGTH && (words.length === 1 || /\d/.test(word))) found.add(word)
  for (const [written] of text.matchAll(WRITTEN_NUMBER)) {
    const digits = written.replace(/\D/g, '')
    if (digits.length >= 7 && digits.length <= 15) found.add(digits)
  }
}
