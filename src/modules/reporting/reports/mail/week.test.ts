import { expect, test } from 'vitest'
import { lastWeek, nextSending } from './week.ts'

// 2026-06-08 is a Monday.
test.each([
  ['2026-06-08T00:00:00+05:30', '2026-06-01', '2026-06-07', '2026-06-08T07:00:00+05:30'],
  ['2026-06-08T06:59:59+05:30', '2026-06-01', '2026-06-07', '2026-06-08T07:00:00+05:30'],
  ['2026-06-08T07:00:00+05:30', '2026-06-01', '2026-06-07', '2026-06-15T07:00:00+05:30'],
  ['2026-06-14T23:59:59+05:30', '2026-06-01', '2026-06-07', '2026-06-15T07:00:00+05:30'],
])('at %s, the last week is %s to %s, and the next mail goes out at %s', (now, from, to, sending) => {
  const time = new Date(now)
  expect(lastWeek(time, 'Asia/Kolkata')).toEqual({ from, to })
  expect(nextSending(time, 'Asia/Kolkata')).toEqual(new Date(sending))
})

test('the hour is local also after the clocks changed', () => {
  // The clocks change on Sunday, 2026-03-08.
  expect(nextSending(new Date('2026-03-05T12:00:00Z'), 'America/New_York')).toEqual(
    new Date('2026-03-09T07:00:00-04:00'),
  )
})
