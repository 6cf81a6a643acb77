import { isUtf8 } from 'node:buffer'

/**
 * A body refused with 400 (spec 2.1, 4.1.2). `invalid_json`: not JSON in UTF-8. `invalid`: JSON with a value
 * that we can't store unchanged; `path` names the field (`attributes.city`, `tags[0]`), and the message
 * continues it.
 */
export class BadBody extends Error {
  override name = 'BadBody'
  readonly kind: 'invalid_json' | 'invalid'
  readonly path: string | undefined

  constructor(kind: 'invalid_json' | 'invalid', message: string, path?: string) {
    super(message)
    this.kind = kind
    this.path = path
  }
}

const MAX_DEPTH = 32

/**
 * Parses a body strictly; throws `BadBody`. Also refuses over 32 levels (recursion would overflow),
 * `__proto__` and `constructor.prototype` keys, NUL and lone surrogates (PostgreSQL stores neither), and
 * numbers that a double overflows or changes. The last of duplicate keys wins.
 */
export function parseJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) throw new BadBody('invalid_json', 'The body is empty. Send JSON.')
  if (!isUtf8(bytes)) throw new BadBody('invalid_json', "The body isn't valid UTF-8.")
  const text = bytes.toString('utf8')
  const { depth, oddNumbers } = scan(text)
  const tree = parse(text, oddNumbers && depth <= MAX_DEPTH)
  if (depth > MAX_DEPTH)
    throw new BadBody('invalid', `The body must be nested at most ${MAX_DEPTH} levels deep.`)
  // Without these marks, the walk would find nothing to refuse.
  if (oddNumbers || text.includes('\\u') || text.includes('__proto__') || text.includes('constructor'))
    refuseUnkeepable(tree, '')
  return tree
}

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown
const parseWithSources = JSON.parse as (text: string, reviver: Reviver) => unknown

function parse(text: string, markNumbers: boolean): unknown {
  try {
    return markNumbers ? parseWithSources(text, markChangedInteger) : JSON.parse(text)
  } catch (error) {
    throw new BadBody('invalid_json', `The body isn't valid JSON: ${(error as SyntaxError).message}.`)
  }
}

/** Replaces a whole number that doesn't fit a double; the walk then names its field. */
const CHANGED_INTEGER = Symbol('a whole number that would change')

function markChangedInteger(_key: string, value: unknown, { source }: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value) || source === undefined) return value
  if (!Number.isFinite(value) || !/^-?\d+$/.test(source)) return value
  return BigInt(source) === BigInt(value) ? value : CHANGED_INTEGER
}

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Scans the text outside strings: its nesting depth, and whether a number may overflow or change. */
function scan(text: string): { depth: number; oddNumbers: boolean } {
  let level = 0
  let depth = 0
  let digits = 0
  let oddNumbers = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code >= 0x30 && code <= 0x39) {
      if (++digits >= 16) oddNumbers = true
      continue
    }
    if (digits > 0 && (code | 0x20) === 0x65) oddNumbers = true
    digits = 0
    if (code === QUOTE) {
      i = endOfString(text, i)
      if (i < 0) break
    } else if (code === 0x7b || code === 0x5b) {
      if (++level > depth) depth = level
    } else if (code === 0x7d || code === 0x5d) level--
  }
  return { depth, oddNumbers }
}

/**
 * Returns the index of the quote that closes the string opened at `start`, or -1. Reads each character once.
 */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end > 0) {
    let backslashes = 0
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return end
    end = text.indexOf('"', end + 1)
  }
  return -1
}

function refuseUnkeepable(value: unknown, path: string): void {
  if (typeof value === 'string') refuseUnkeepableText(value, path)
  else if (value === CHANGED_INTEGER)
    refuse(path, 'Must be an exact integer. Send larger numbers as a string.')
  else if (typeof value === 'number' && !Number.isFinite(value))
    refuse(path, 'Must be a smaller number. Send it as a string.')
  else if (Array.isArray(value))
    for (const [index, item] of value.entries()) refuseUnkeepable(item, `${path}[${index}]`)
  else if (typeof value === 'object' && value !== null) refuseUnkeepableKeys(value, path)
}

function refuseUnkeepableKeys(object: object, path: string): void {
  for (const [key, value] of Object.entries(object)) {
    const keyPath = join(path, key)
    refuseUnkeepableText(key, keyPath)
    if (key === '__proto__') refuse(keyPath, 'Must not be used as a field name.')
    if (
      key === 'constructor' &&
      typeof value === 'object' &&
      value !== null &&
      Object.hasOwn(value, 'prototype')
    )
      refuse(join(keyPath, 'prototype'), 'Must not be used as a field name.')
    refuseUnkeepable(value, keyPath)
  }
}

function refuseUnkeepableText(text: string, path: string): void {
  if (text.includes('\0')) refuse(path, 'Must not contain NUL.')
  if (!text.isWellFormed()) refuse(path, 'Must not contain unpaired surrogates.')
}

function refuse(path: string, message: string): never {
  // The path comes from the body too, and may contain the refused characters.
  const safe = path.toWellFormed().replaceAll('\0', '\ufffd').slice(0, 200)
  throw safe === ''
    ? new BadBody('invalid', message.replace('Must', 'The body must'))
    : new BadBody('invalid', message, safe)
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}
