import { describe, expect, test } from 'vitest'
import { type OpenHours, snoozeTimes } from './snooze-times.ts'

const KOLKATA = 'Asia/Kolkata'
/** Monday to Friday, 10:00 to 19:00 in Kolkata (UTC + 5:30), closed on 2026-06-03. */
const HOURS: OpenHours = {
  timeZone: KOLKATA,
  weekly: [1, 2, 3, 4, 5].map((day) => ({ day, from: '10:00', to: '19:00' })),
  overrides: [{ date: '2026-06-03', ranges: [] }],
}
const times = (now: string, zone: string, hours?: OpenHours) =>
  snoozeTimes(Date.parse(now), zone, hours).map(({ kind, until }) => `${kind} ${until}`)

describe('times to snooze until', () => {
  test('without business hours: in three hours, tomorrow at 9:00, and Monday at 9:00 of the reader', () => {
    // A Monday.
    expect(times('2026-06-01T06:07:00Z', 'Europe/Berlin')).toEqual([
      'later 2026-06-01T09:15:00.000Z',
      'tomorrow 2026-06-02T07:00:00.000Z',
      'nextWeek 2026-06-08T07:00:00.000Z',
    ])
    const unset = { timeZone: KOLKATA, weekly: [], overrides: [] }
    expect(times('2026-06-01T06:07:00Z', 'Europe/Berlin', unset)).toHaveLength(3)
  })

  test('late in the evening there is no later today, and on Sunday tomorrow is next week', () => {
    expect(times('2026-06-07T19:30:00Z', 'Europe/Berlin')).toEqual(['tomorrow 2026-06-08T07:00:00.000Z'])
  })

  test('with business hours: the openings, in the zone of the business', () => {
    expect(times('2026-06-01T06:00:00Z', 'Europe/Berlin', HOURS)).toEqual([
      'later 2026-06-01T09:00:00.000Z',
      'tomorrow 2026-06-02T04:30:00.000Z',
      'nextWeek 2026-06-08T04:30:00.000Z',
    ])
  })

  test('a closed day is skipped, and after closing there is no later today', () => {
    expect(times('2026-06-02T11:00:00Z', KOLKATA, HOURS)).toEqual([
      'nextOpen 2026-06-04T04:30:00.000Z',
      'nextWeek 2026-06-08T04:30:00.000Z',
    ])
    expect(times('2026-06-05T09:00:00Z', KOLKATA, HOURS)).toEqual([
      'later 2026-06-05T12:00:00.000Z',
      'nextOpen 2026-06-08T04:30:00.000Z',
    ])
  })

  test('a night belongs to the day on which it starts', () => {
    const nights = { ...HOURS, weekly: [{ day: 1, from: '20:00', to: '04:00' }], overrides: [] }
    expect(times('2026-06-01T15:30:00Z', KOLKATA, nights)).toEqual([
      'later 2026-06-01T18:30:00.000Z',
      'nextOpen 2026-06-08T14:30:00.000Z',
    ])
  })
})
