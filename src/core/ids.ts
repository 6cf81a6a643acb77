import { randomFillSync } from 'node:crypto'
import { z } from 'zod'
import { realMs } from './clock.ts'
import { ANY_UUID, isUuid, isUuid7 } from './values/uuid.ts'

/** Random bits are drawn in bulk, 32 at a time: a system call for each id costs more than making the id. */
const pool = new Uint32Array(1024)
let nextIndex = pool.length

function random32(): number {
  if (nextIndex === pool.length) {
    randomFillSync(pool)
    nextIndex = 0
  }
  return pool[nextIndex++] as number
}

const DIGITS = Buffer.from('0123456789abcdef', 'latin1')

/** Writes the last hexadecimal digits of `value` into positions `first` to `last`. */
function writeHex(target: Buffer, value: number, first: number, last: number): void {
  let rest = value
  for (let index = last; index >= first; index--) {
    target[index] = DIGITS[rest & 0xf] as number
    rest >>>= 4
  }
}

/**
 * Returns a maker of UUIDv7 ids (RFC 9562, 5.7) that takes the time from `nowMs`. Ids increase strictly, also within a
 * millisecond and while the clock is behind: 32 bits are a sequence, and 42 bits are random.
 */
export function idMaker(nowMs: () => number): () => string {
  /** The last id; the next one overwrites it. */
  const id = Buffer.from('00000000-0000-7000-8000-000000000000', 'latin1')
  let lastMs = 0
  let sequence = 0
  const writeTime = (): void => {
    writeHex(id, Math.floor(lastMs / 2 ** 16), 0, 7)
    writeHex(id, lastMs % 2 ** 16, 9, 12)
  }
  return () => {
    const ms = nowMs()
    if (ms > lastMs) {
      lastMs = ms
      // The upper half of the range stays free for further ids of the same millisecond.
      sequence = random32() >>> 1
      writeTime()
    } else sequence++
    const random = random32()
    writeHex(id, sequence >>> 20, 15, 17)
    // After the two bits of the UUID variant.
    writeHex(id, 0x8000 | ((sequence >>> 6) & 0x3fff), 19, 22)
    writeHex(id, ((sequence & 0x3f) << 2) | (random & 0x3), 24, 25)
    writeHex(id, random >>> 2, 26, 27)
    writeHex(id, random32(), 28, 35)
    return id.toString('latin1')
  }
}

/**
 * Returns a new id. Ids sort by creation, so a cursor contains its own position (spec 2.1). Those of one process increase
 * strictly.
 */
export const newId = idMaker(realMs)

/** Returns the first possible id of a millisecond: a bound for reading ids by their time. */
export function idAt(time: Date): string {
  const ms = Math.max(0, time.getTime()).toString(16).padStart(12, '0')
  return `${ms.slice(0, 8)}-${ms.slice(8)}-7000-8000-000000000000`
}

/** Returns the real time at which a UUIDv7 was made. */
export const timeOfId = (id: string): Date => new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16))

/** Returns the id `steps` after another: it has the same millisecond, and sorts before any id made later. */
export function idAfter(id: string, steps: number): string {
  if (steps === 0) return id
  const hex = (BigInt(`0x${id.replaceAll('-', '')}`) + BigInt(steps)).toString(16).padStart(32, '0')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

export { isUuid, isUuid7 }

/** An id in a body or a query. */
export const Id = z.string().regex(ANY_UUID, 'Must be an id (a UUID).').meta({ format: 'uuid' })
