import { expect, test } from 'vitest'
import { InstantInput } from './text.ts'

test.each([
  ['2026-06-01T10:00:00Z', '2026-06-01T10:00:00.000Z'],
  ['2026-06-01T10:00:00.123456Z', '2026-06-01T10:00:00.123Z'],
  ['2026-06-01T10:00Z', '2026-06-01T10:00:00.000Z'],
  ['2026-06-01T10:00:00+05:30', '2026-06-01T04:30:00.000Z'],
  ['2026-06-01T10:00:00+0530', '2026-06-01T04:30:00.000Z'],
  ['2026-06-01T10:00-05:30', '2026-06-01T15:30:00.000Z'],
  ['2026-06-01T10:00:00.5-05', '2026-06-01T15:00:00.500Z'],
])('a time in a request is in ISO 8601 and may have an offset: %s (spec 2.1)', (text, moment) => {
  expect(InstantInput.parse(text).toISOString()).toBe(moment)
})

test.each([
  '2026-06-01',
  '2026-06-01T10:00:00',
  '2026-06-01 10:00:00Z',
  '2026-02-30T10:00Z',
  '2026-06-01T24:01Z',
  '2026-06-01T10:00:00+99',
  '2026-06-01T10:00:00+05:3',
  '2026-06-01T10:00:Z',
  '0000-01-01T00:00:00Z',
  1_780_000_000,
  null,
])('%j is not a valid time in a request', (value) => {
  expect(InstantInput.safeParse(value).success).toBe(false)
})
