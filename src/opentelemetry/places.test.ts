import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { newSpanId, newTraceId, placeOfId, readTraceParent, traceParentOf } from './places.ts'

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN_ID = '00f067aa0ba902b7'

test('the trace of a message is the beginning of the SHA-256 of its id', () => {
  const id = '0197a1b2-0000-7000-8000-000000000002'
  const digest = createHash('sha256').update(id).digest('hex')
  expect(placeOfId(id)).toEqual({ traceId: digest.slice(0, 32), spanId: digest.slice(32, 48) })
})

test('random ids have the right length and differ', () => {
  const ids = Array.from({ length: 5_000 }, () => [newTraceId(), newSpanId()])
  expect(ids.every(([trace, span]) => /^[0-9a-f]{32}$/.test(trace!) && /^[0-9a-f]{16}$/.test(span!))).toBe(
    true,
  )
  expect(new Set(ids.flat()).size).toBe(10_000)
})

test.each([
  [`00-${TRACE_ID}-${SPAN_ID}-01`, true],
  [`00-${TRACE_ID}-${SPAN_ID}-00`, false],
  [`00-${TRACE_ID}-${SPAN_ID}-03`, true],
  [`01-${TRACE_ID}-${SPAN_ID}-01-later`, true],
])('the header %s is valid', (header, isSampled) => {
  expect(readTraceParent(header)).toEqual({ traceId: TRACE_ID, spanId: SPAN_ID, isSampled })
})

test.each([
  undefined,
  '',
  `00-${TRACE_ID}-${SPAN_ID}`,
  `00-${TRACE_ID}-${SPAN_ID}-01-later`,
  `ff-${TRACE_ID}-${SPAN_ID}-01`,
  `00-${TRACE_ID.toUpperCase()}-${SPAN_ID}-01`,
  `00-${'0'.repeat(32)}-${SPAN_ID}-01`,
  `00-${TRACE_ID}-${'0'.repeat(16)}-01`,
  ['00', TRACE_ID],
])('the header %s is not valid', (header) => {
  expect(readTraceParent(header)).toBeUndefined()
})

test('a header that Parley writes is read back', () => {
  const place = placeOfId('a message')
  expect(readTraceParent(traceParentOf(place, true))).toEqual({ ...place, isSampled: true })
})
