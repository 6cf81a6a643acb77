/** The places of spans: ids of traces and spans, also those that follow from the id of a message (docs/decisions/opentelemetry.md). */
import { hash, randomFillSync } from 'node:crypto'

/** `traceId`: 32 hexadecimal digits; `spanId`: 16. */
export type Place = { traceId: string; spanId: string }
/** A span of another service, with its decision about the trace. */
export type RemotePlace = Place & { isSampled: boolean }

const TRACE_DIGITS = 32
const SPAN_DIGITS = 16

/** Random digits are drawn in bulk, because a system call for each id costs more than the id. */
const POOL_BYTES = 4_096
const pool = Buffer.alloc(POOL_BYTES)
let nextByte = POOL_BYTES

function randomDigits(digits: number): string {
  if (nextByte + digits / 2 > POOL_BYTES) {
    randomFillSync(pool)
    nextByte = 0
  }
  const text = pool.toString('hex', nextByte, nextByte + digits / 2)
  nextByte += digits / 2
  // Ids of zeros alone are not valid.
  return /[^0]/.test(text) ? text : randomDigits(digits)
}

export const newTraceId = (): string => randomDigits(TRACE_DIGITS)
export const newSpanId = (): string => randomDigits(SPAN_DIGITS)

/**
 * Returns the place of the first span of a message's trace: digits of the SHA-256 of its id. Every process derives
 * the same, so nothing is stored.
 */
export function placeOfId(id: string): Place {
  const digest = hash('sha256', id, 'hex')
  return {
    traceId: digest.slice(0, TRACE_DIGITS),
    spanId: digest.slice(TRACE_DIGITS, TRACE_DIGITS + SPAN_DIGITS),
  }
}

const TRACE_PARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.{0,200})?$/

/** Parses a `traceparent` header (W3C Trace Context, section 3.2). Returns undefined for a header that is not valid. */
export function readTraceParent(header: unknown): RemotePlace | undefined {
  const [, version, traceId, spanId, flags] = (typeof header === 'string' && TRACE_PARENT.exec(header)) || []
  if (!version || !traceId || !spanId || !flags || version === 'ff') return undefined
  // Version 00 has exactly four parts.
  if (version === '00' && (header as string).length > 55) return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

/** Writes the header for a call that the span at `place` makes. */
export const traceParentOf = ({ traceId, spanId }: Place, isSampled: boolean): string =>
  `00-${traceId}-${spanId}-0${isSampled ? 1 : 0}`
