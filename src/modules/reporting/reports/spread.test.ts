import { expect, test } from 'vitest'
import { durationMeter, spreadOf } from './spread.ts'

const at = (text: string) => new Date(text)
const office = {
  timeZone: 'Asia/Kolkata',
  // Monday to Friday, with a break.
  weekly: [1, 2, 3, 4, 5].flatMap((day) => [
    { day, from: '10:00', to: '13:00' },
    { day, from: '14:00', to: '18:00' },
  ]),
  overrides: [{ date: '2026-06-10', ranges: [] }],
}
const [start, end] = [at('2026-06-01T00:00:00+05:30'), at('2026-07-01T00:00:00+05:30')]
const HOUR = 3_600

// 2026-06-08 is a Monday.
test.each([
  ['within a range', '2026-06-08T10:30:00+05:30', '2026-06-08T11:00:00+05:30', HOUR / 2],
  ['over the break', '2026-06-08T12:30:00+05:30', '2026-06-08T14:30:00+05:30', HOUR],
  ['over a night', '2026-06-08T17:00:00+05:30', '2026-06-09T11:00:00+05:30', 2 * HOUR],
  ['over a closed day', '2026-06-09T17:00:00+05:30', '2026-06-11T11:00:00+05:30', 2 * HOUR],
  ['over a weekend', '2026-06-05T17:30:00+05:30', '2026-06-08T10:15:00+05:30', 0.75 * HOUR],
  ['at night alone', '2026-06-08T22:00:00+05:30', '2026-06-09T08:00:00+05:30', 0],
  ['at the end of a range', '2026-06-08T13:00:00+05:30', '2026-06-08T14:00:00+05:30', 0],
])('business time %s', (_, from, to, business) => {
  expect(durationMeter(office, start, end)(at(from), at(to)).business).toBe(business)
})

test('without business hours there is only real time, and a day when the clocks change has its own length', () => {
  const none = durationMeter({ timeZone: 'Asia/Kolkata', weekly: [], overrides: [] }, start, end)
  expect(none(at('2026-06-08T10:00:00Z'), at('2026-06-08T11:00:00Z'))).toEqual({
    seconds: HOUR,
    business: null,
  })
  const always = {
    timeZone: 'America/New_York',
    weekly: [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, from: '00:00', to: '24:00' })),
    overrides: [],
  }
  // The clocks change on 2026-03-08, which has 23 hours.
  const [from, to] = [at('2026-03-08T00:00:00-05:00'), at('2026-03-09T00:00:00-04:00')]
  expect(durationMeter(always, from, to)(from, to)).toEqual({ seconds: 23 * HOUR, business: 23 * HOUR })
})

test('median and 90th percentile are values that occurred', () => {
  const durations = [50, 10, 30, 20, 40, 60, 70, 80, 90, 100].map((seconds) => ({ seconds, business: null }))
  expect(spreadOf(durations)).toEqual({
    count: 10,
    medianSeconds: 50,
    p90Seconds: 90,
    businessMedianSeconds: null,
    businessP90Seconds: null,
  })
  expect(spreadOf([{ seconds: 3, business: 0 }])).toMatchObject({ medianSeconds: 3, businessP90Seconds: 0 })
  expect(spreadOf()).toMatchObject({ count: 0, medianSeconds: null, p90Seconds: null })
})
