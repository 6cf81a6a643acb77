import { describe, expect, test } from 'vitest'
import { isOpenAt } from './is-open.ts'

const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7]
const nights = (timeZone: string, from = '20:00', to = '04:00') => ({
  timeZone,
  weekly: EVERY_DAY.map((day) => ({ day, from, to })),
  overrides: [],
})
type Case = [time: string, isOpen: boolean]

describe('a range over midnight belongs to the day on which it starts', () => {
  const sunday = { ...nights('Asia/Kolkata'), weekly: [{ day: 7, from: '20:00', to: '04:00' }] }
  // 2026-06-07 is a Sunday.
  test.each<Case>([
    ['2026-06-07T03:59:59+05:30', false],
    ['2026-06-07T20:00:00+05:30', true],
    ['2026-06-08T00:00:00+05:30', true],
    ['2026-06-08T03:59:59.999+05:30', true],
    ['2026-06-08T04:00:00+05:30', false],
    ['2026-06-08T20:00:00+05:30', false],
  ])('Sunday 20:00 to 04:00 at %s: %s', (time, isOpen) => {
    expect(isOpenAt(sunday, new Date(time))).toBe(isOpen)
  })

  const holiday = (ranges: { from: string; to: string }[]) => ({
    ...nights('Asia/Kolkata'),
    overrides: [{ date: '2026-12-25', ranges }],
  })
  test.each<Case>([
    ['2026-12-25T03:59:00+05:30', true],
    ['2026-12-25T04:00:00+05:30', false],
    ['2026-12-25T21:00:00+05:30', false],
    ['2026-12-26T01:00:00+05:30', false],
    ['2026-12-26T20:00:00+05:30', true],
  ])('a closed day closes the hours that start on it at %s: %s', (time, isOpen) => {
    expect(isOpenAt(holiday([]), new Date(time))).toBe(isOpen)
  })
  test.each<Case>([
    ['2026-12-25T23:00:00+05:30', true],
    ['2026-12-26T01:59:00+05:30', true],
    ['2026-12-26T02:00:00+05:30', false],
  ])('an override, 22:00 to 02:00, at %s: %s', (time, isOpen) => {
    expect(isOpenAt(holiday([{ from: '22:00', to: '02:00' }]), new Date(time))).toBe(isOpen)
  })
})

describe('days when the clocks change', () => {
  test.each<Case>([
    // In this night, the clocks change from 02:00 to 03:00.
    ['2026-03-29T00:59:00Z', true],
    ['2026-03-29T01:59:00Z', true],
    ['2026-03-29T02:00:00Z', false],
    // In this night, the clocks change from 03:00 back to 02:00.
    ['2026-10-25T00:30:00Z', true],
    ['2026-10-25T01:30:00Z', true],
    ['2026-10-25T02:59:00Z', true],
    ['2026-10-25T03:00:00Z', false],
  ])('20:00 to 04:00 in Berlin at %s: %s', (time, isOpen) => {
    expect(isOpenAt(nights('Europe/Berlin'), new Date(time))).toBe(isOpen)
  })

  test.each<Case>([
    ['2026-10-25T00:29:00Z', true],
    ['2026-10-25T00:45:00Z', true],
    ['2026-10-25T01:29:00Z', true],
    ['2026-10-25T01:30:00Z', false],
  ])(
    'a range ends at the second of two equal local times, as in bookings: 20:00 to 02:30 at %s: %s',
    (time, isOpen) => {
      expect(isOpenAt(nights('Europe/Berlin', '20:00', '02:30'), new Date(time))).toBe(isOpen)
    },
  )
})

test('24:00 stays valid as an end, and 00:00 is the same end', () => {
  for (const to of ['24:00', '00:00']) {
    const hours = nights('Asia/Kolkata', '20:00', to)
    expect(isOpenAt(hours, new Date('2026-06-07T23:59:59+05:30'))).toBe(true)
    expect(isOpenAt(hours, new Date('2026-06-08T00:00:00+05:30'))).toBe(false)
  }
})

test('offsets are zones too', () => {
  expect(isOpenAt(nights('+05:30'), new Date('2026-06-08T01:00:00+05:30'))).toBe(true)
})
