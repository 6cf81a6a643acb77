/**
 * Reads the part of SCIM's filters that identity providers use: comparisons by `eq`, joined by `and` (RFC 7644 section 3.4.2.2).
 * The text is read once from left to right.
 */
import { refuseScim } from './scim-fault.ts'

/** `path` is in lower case, without the schema of the resource. */
export type Comparison = { path: string; value: string | boolean | number | null }

const MAX_LENGTH = 1_000
const MAX_COMPARISONS = 5
const HINT = 'Use comparisons such as userName eq "asha@example.com", joined by and.'

const CORE = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/i
const ATTRIBUTE = /[A-Za-z][\w$:.-]*/y
/** The attribute of `emails[type eq "work"].value`; the filter of the value is read by itself. */
const VALUE_FILTER = /\[[^\][]{0,100}\](?:\.[A-Za-z]+)?/y
const OPERATOR = /\s+([A-Za-z]{2})\s+/y
const VALUE = /"(?:[^"\\]|\\.)*"|true|false|null|-?\d{1,15}/y
const AND = /\s+and\s+/iy

/** Returns the path of an attribute in lower case, without the schema of the resource. */
export const attributePath = (text: string): string => text.replace(CORE, '').toLowerCase()

const fail = (message = HINT): never => refuseScim('invalidFilter', `The filter can't be read. ${message}`)

/** Reads tokens one after the other. */
function reader(text: string) {
  let position = 0
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = position
    const match = pattern.exec(text)
    if (match) position = pattern.lastIndex
    return match
  }
  return { take, isAtEnd: () => position === text.length }
}

function readValue(token: string): Comparison['value'] {
  try {
    return JSON.parse(token) as Comparison['value']
  } catch {
    return fail('Write values as JSON.')
  }
}

function readComparison({ take }: ReturnType<typeof reader>): Comparison {
  const [attribute] = take(ATTRIBUTE) ?? fail()
  const isFiltered = take(VALUE_FILTER) !== null
  const [, operator] = take(OPERATOR) ?? fail()
  if (operator!.toLowerCase() !== 'eq') fail(`Only the operator eq is supported. ${HINT}`)
  const [token] = take(VALUE) ?? fail()
  const value = readValue(token)
  if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed()))
    fail('A value contains NUL or half a character.')
  const path = attributePath(attribute)
  return { path: isFiltered ? `${path}.value` : path, value }
}

/** Returns the comparisons, which must all be true. Throws `invalidFilter`. */
export function parseFilter(text: string): Comparison[] {
  if (text.length > MAX_LENGTH) fail(`It has more than ${MAX_LENGTH} characters.`)
  const tokens = reader(text.trim())
  const comparisons = [readComparison(tokens)]
  while (!tokens.isAtEnd()) {
    if (!tokens.take(AND)) fail()
    if (comparisons.length === MAX_COMPARISONS) fail(`It has more than ${MAX_COMPARISONS} comparisons.`)
    comparisons.push(readComparison(tokens))
  }
  return comparisons
}
