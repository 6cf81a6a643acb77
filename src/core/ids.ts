import { randomBytes } from 'node:crypto'
import { v7 } from 'uuid'
import { z } from 'zod'
import { systemClock } from './clock.ts'

const RANDOM_BYTES = 16
const POOL_BYTES = 256 * RANDOM_BYTES
/** Random bytes are drawn in bulk: asking the system for each id costs more than making it. */
let pool = randomBytes(POOL_BYTES)
let used = 0
let lastMs = 0
let sequence = 0

/**
 * A new id. UUIDv7: sortable by creation, so that a cursor carries its own position (spec 2.1).
 * Ids of one process rise strictly, also within a millisecond.
 */
export function newId(): string {
  if (used === POOL_BYTES) {
    pool = randomBytes(POOL_BYTES)
    used = 0
  }
  const random = pool.subarray(used, used + RANDOM_BYTES)
  used += RANDOM_BYTES
  const nowMs = systemClock.now().getTime()
  if (nowMs > lastMs) {
    lastMs = nowMs
    // Half of the range stays free for what follows in the same millisecond.
    sequence = random.readUInt32BE(0) >>> 1
  } else sequence++
  return v7({ random, msecs: lastMs, seq: sequence })
}

/** The first of the ids that a millisecond can have: a bound in a walk over ids by their time. */
export function idAt(at: Date): string {
  const ms = Math.max(0, at.getTime()).toString(16).padStart(12, '0')
  return `${ms.slice(0, 8)}-${ms.slice(8)}-7000-8000-000000000000`
}

/** The real time at which a UUIDv7 was made. */
export const timeOfId = (id: string): Date => new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16))

/** The id that comes `steps` after another one: made in the same millisecond, before whatever was made later. */
export function idAfter(id: string, steps: number): string {
  if (steps === 0) return id
  const hex = (BigInt(`0x${id.replaceAll('-', '')}`) + BigInt(steps)).toString(16).padStart(32, '0')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

const uuid7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i
const anyUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether `text` is a UUIDv7: what a cursor must be. */
export const isUuid7 = (text: string): boolean => uuid7.test(text)

/** Whether `text` has the shape of a UUID of any version. */
export const isUuid = (text: string): boolean => anyUuid.test(text)

/** An id in a body or a query. */
export const Id = z.string().regex(anyUuid, 'must be a uuid').meta({ format: 'uuid' })
