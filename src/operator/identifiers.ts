/** What names people and messages in a value of the operator's, of whatever kind it is. */
import { isObject, objectsIn, storableText } from '../core/storable.ts'

const MAX_LENGTH = 512
/** Digits as people write numbers, with what they put between them. */
const WRITTEN_NUMBER = /\d[\d\s().-]{5,}\d/g
/** Signs that no identifier holds. */
const BETWEEN = /[\s"'{}[\],:;<>()]+/

/**
 * The identifiers in a JSON value, or in the text of a body that is none: each text without white space, what stands apart
 * in longer ones and holds a digit, and every number of 7 to 15 digits by its digits alone. More of them than there are
 * people in it does no harm: they are only looked up.
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

/** The ids of the things that a value lists: of messages, echoes, calls. */
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
