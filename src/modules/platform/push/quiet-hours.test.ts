import { expect, test } from 'vitest'
import { isQuiet } from './quiet-hours.ts'
import { PushSettings } from './schema.ts'

const quiet = {
  timeZone: 'Asia/Kolkata',
  // Friday night, and Sunday.
  weekly: [
    { day: 5, from: '21:00', to: '08:00' },
    { day: 7, from: '00:00', to: '24:00' },
  ],
}

test.each([
  ['2026-11-27T15:29:59Z', false],
  ['2026-11-27T15:30:00Z', true],
  ['2026-11-28T02:29:59Z', true],
  ['2026-11-28T02:30:00Z', false],
  ['2026-11-29T08:00:00Z', true],
  ['2026-11-29T18:30:00Z', false],
])('at %s, in the zone of the member: %s', (at, expected) => {
  expect(isQuiet(quiet, new Date(at))).toBe(expected)
})

test('preferences that cannot be read count as not set', () => {
  const plain = { messages: true, unassigned: true, text: true, quiet: null }
  for (const value of [undefined, null, 'on', {}, { quiet: { timeZone: 'Mars', weekly: [] } }, { text: 3 }])
    expect(PushSettings.parse(value), JSON.stringify(value)).toEqual(plain)
  expect(PushSettings.parse({ text: false, quiet })).toEqual({ ...plain, text: false, quiet })
})
