/**
 * Lists in PostgreSQL's binary format: int32 dimensions, null flag, element type, element count, first index; then each element
 * after its length in bytes (-1 for null). Lists as text cost PostgreSQL more than most queries that use them: each byte of a
 * uuid is a call of strtoul (docs/speed.md).
 */

/** PostgreSQL's ids of the element types (pg_type.oid). They never change. */
const BYTEA = 17
const TEXT = 25
const JSON_TEXT = 114
const TIMESTAMPTZ = 1184
const UUID = 2950
const JSONB = 3802

const HEAD_BYTES = 20
const LENGTH_BYTES = 4
const NULL = -1

/** `maxBytes` of an element, and how to write it; `write` returns the position after it. */
type Element<T> = {
  type: number
  maxBytes(element: T): number
  write(target: Buffer, element: T, offset: number): number
}

function arrayOf<T>({ type, maxBytes, write }: Element<T>, elements: readonly (T | null)[]): Buffer {
  let size = HEAD_BYTES
  for (const element of elements) size += LENGTH_BYTES + (element === null ? 0 : maxBytes(element))
  const array = Buffer.allocUnsafe(size)
  array.writeInt32BE(elements.length === 0 ? 0 : 1, 0)
  array.writeInt32BE(elements.includes(null) ? 1 : 0, 4)
  array.writeInt32BE(type, 8)
  array.writeInt32BE(elements.length, 12)
  array.writeInt32BE(1, 16)
  if (elements.length === 0) return array.subarray(0, 12)
  let offset = HEAD_BYTES
  for (const element of elements) {
    const begin = offset + LENGTH_BYTES
    if (element === null) {
      array.writeInt32BE(NULL, offset)
      offset = begin
    } else {
      const end = write(array, element, begin)
      array.writeInt32BE(end - begin, offset)
      offset = end
    }
  }
  return array.subarray(0, offset)
}

const NOT_A_DIGIT = 0xff
const DIGITS = new Uint8Array(128).fill(NOT_A_DIGIT)
for (let value = 0; value < 16; value++) {
  const digit = value.toString(16)
  DIGITS[digit.charCodeAt(0)] = value
  DIGITS[digit.toUpperCase().charCodeAt(0)] = value
}
/** Positions of the sixteen bytes in the text of a uuid. */
const BYTES_AT = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34]
const UUID_CHARACTERS = 36
const UUID_BYTES = 16

const UUIDS: Element<string> = {
  type: UUID,
  maxBytes: () => UUID_BYTES,
  write(target, id, offset) {
    let digitBits = id.length === UUID_CHARACTERS ? 0 : NOT_A_DIGIT
    for (let i = 0; i < UUID_BYTES; i++) {
      const high = DIGITS[id.charCodeAt(BYTES_AT[i]!)] ?? NOT_A_DIGIT
      const low = DIGITS[id.charCodeAt(BYTES_AT[i]! + 1)] ?? NOT_A_DIGIT
      digitBits |= high | low
      target[offset + i] = (high << 4) | low
    }
    if (digitBits > 0xf) throw new Error(`not a uuid: ${id.slice(0, 2 * UUID_CHARACTERS)}`)
    return offset + UUID_BYTES
  },
}

/** Milliseconds from 1970 to 2000, PostgreSQL's epoch. */
const EPOCH_MS = 10_957 * 86_400_000
const UINT32 = 2 ** 32

const INSTANTS: Element<Date> = {
  type: TIMESTAMPTZ,
  maxBytes: () => 8,
  write(target, moment, offset) {
    const ms = moment.getTime()
    if (Number.isNaN(ms)) throw new RangeError('not a moment in time')
    const sinceEpochMs = ms - EPOCH_MS
    // Written in two halves: from the year 2286 on the microseconds exceed the safe integers and would lose the last
    // millisecond.
    const high = Math.floor(sinceEpochMs / UINT32)
    const low = (sinceEpochMs - high * UINT32) * 1_000
    const carry = Math.floor(low / UINT32)
    target.writeInt32BE(high * 1_000 + carry, offset)
    target.writeUInt32BE(low - carry * UINT32, offset + 4)
    return offset + 8
  },
}

/** No UTF-16 unit takes more UTF-8 bytes. */
const MAX_CHARACTER_BYTES = 3

const TEXTS: Element<string> = {
  type: TEXT,
  maxBytes: (text) => text.length * MAX_CHARACTER_BYTES,
  write: (target, text, offset) => offset + target.write(text, offset),
}

const JSONB_VERSION = 1
const JSONS: Element<string> = {
  type: JSONB,
  maxBytes: (text) => 1 + TEXTS.maxBytes(text),
  write(target, text, offset) {
    target[offset] = JSONB_VERSION
    return TEXTS.write(target, text, offset + 1)
  },
}

/** An escaped NUL or half of a surrogate pair. JSON.stringify writes no other escapes with these digits. */
const UNREADABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/

const JSON_TEXTS: Element<string> = {
  ...TEXTS,
  type: JSON_TEXT,
  write(target, text, offset) {
    if (text.includes('\\u') && UNREADABLE.test(text))
      throw new Error('a JSON text contains NUL or half of a surrogate pair')
    return TEXTS.write(target, text, offset)
  },
}

const writeBytes = (target: Buffer, bytes: Uint8Array, offset: number): number => {
  target.set(bytes, offset)
  return offset + bytes.length
}

const BYTES: Element<Uint8Array | string> = {
  type: BYTEA,
  maxBytes: (bytes) => (typeof bytes === 'string' ? TEXTS.maxBytes(bytes) : bytes.length),
  write: (target, bytes, offset) =>
    typeof bytes === 'string' ? TEXTS.write(target, bytes, offset) : writeBytes(target, bytes, offset),
}

const DIGESTS: Element<Uint8Array> = { type: UUID, maxBytes: () => UUID_BYTES, write: writeBytes }

/** Returns a `uuid[]`; throws for text that is not a uuid. */
export const uuids = (ids: readonly (string | null)[]): Buffer => arrayOf(UUIDS, ids)
/** Returns a `timestamptz[]`, exact to the millisecond. */
export const instants = (times: readonly (Date | null)[]): Buffer => arrayOf(INSTANTS, times)
/** Returns a `text[]`. */
export const texts = (list: readonly (string | null)[]): Buffer => arrayOf(TEXTS, list)
/** Returns a `jsonb[]` from JSON texts. */
export const jsons = (list: readonly (string | null)[]): Buffer => arrayOf(JSONS, list)
/**
 * Returns a `json[]` from texts that JSON.stringify made. PostgreSQL stores them unread and fails later when it reads a field.
 * So NUL and halves of surrogate pairs throw here, as PostgreSQL refuses them in a `jsonb[]`.
 */
export const jsonTexts = (list: readonly (string | null)[]): Buffer => arrayOf(JSON_TEXTS, list)
/** Returns a `bytea[]`; texts are encoded in UTF-8. */
export const byteStrings = (list: readonly (Uint8Array | string | null)[]): Buffer => arrayOf(BYTES, list)
/** Returns a `uuid[]` from arrays of sixteen bytes. */
export const digests = (list: readonly Uint8Array[]): Buffer => arrayOf(DIGESTS, list)
