import { expect, test } from 'vitest'
import { DAY_MINUTES, daySpanOf, MIN_MINUTES } from './day-spans.ts'

const ZONE = 'Asia/Kolkata'
const booking = (startAt: string, endAt: string) => ({ startAt: `${startAt}+05:30`, endAt: `${endAt}+05:30` })
const spanOf = (day: string, times: { startAt: string; endAt: string }, zone = ZONE) => {
  const span = daySpanOf(zone, day, times)
  return span && [span.from, span.to, span.isContinued]
}

test('a booking over midnight is on both days, until midnight on the first and from midnight on the second', () => {
  const night = booking('2026-06-01T22:30:00', '2026-06-02T02:15:00')
  expect(spanOf('2026-05-31', night)).toBeUndefined()
  expect(spanOf('2026-06-01', night)).toEqual([22.5 * 60, DAY_MINUTES, false])
  expect(spanOf('2026-06-02', night)).toEqual([0, 2.25 * 60, true])
  expect(spanOf('2026-06-03', night)).toBeUndefined()
})

test('a booking that ends at midnight is only on its day, and a short one keeps a readable height', () => {
  const evening = booking('2026-06-01T23:00:00', '2026-06-02T00:00:00')
  expect(spanOf('2026-06-01', evening)).toEqual([23 * 60, DAY_MINUTES, false])
  expect(spanOf('2026-06-02', evening)).toBeUndefined()
  const late = booking('2026-06-01T23:50:00', '2026-06-02T00:05:00')
  expect(spanOf('2026-06-01', late)).toEqual([DAY_MINUTES - MIN_MINUTES, DAY_MINUTES, false])
  expect(spanOf('2026-06-02', late)).toEqual([0, MIN_MINUTES, true])
  expect(spanOf('2026-06-01', booking('2026-06-01T10:00:00', '2026-06-01T10:05:00'))).toEqual([
    600,
    600 + MIN_MINUTES,
    false,
  ])
})

test('its end follows the clocks when they change in the night', () => {
  const spring = { startAt: '2026-03-28T22:00:00Z', endAt: '2026-03-29T02:00:00Z' }
  expect(spanOf('2026-03-28', spring, 'Europe/Berlin')).toEqual([23 * 60, DAY_MINUTES, false])
  expect(spanOf('2026-03-29', spring, 'Europe/Berlin')).toEqual([0, 4 * 60, true])
})
