import { describe, expect, test } from 'vitest'
import { localTimes, MAX_DAYS, periodBefore, periodOf } from './period.ts'

const ctxOf = (timezone: string, now = '2026-11-15T12:00:00Z') =>
  ({ now: new Date(now), workspace: { timezone } }) as Parameters<typeof periodOf>[0]

describe('the period of a report', () => {
  test('is the last 30 days without a query, in the time zone of the workspace', () => {
    const period = periodOf(ctxOf('Asia/Kolkata', '2026-11-15T20:00:00Z'), {})
    expect([period.from, period.to, period.dates.length]).toEqual(['2026-10-18', '2026-11-16', 30])
    expect(period.start.toISOString()).toBe('2026-10-17T18:30:00.000Z')
    expect(period.end.toISOString()).toBe('2026-11-16T18:30:00.000Z')
  })

  test('has whole days when the clocks change', () => {
    // The clocks change on 2026-11-01, which has 25 hours.
    const { start, end, dates } = periodOf(ctxOf('America/New_York'), {
      from: '2026-11-01',
      to: '2026-11-01',
    })
    expect(dates).toEqual(['2026-11-01'])
    expect(end.getTime() - start.getTime()).toBe(25 * 3_600_000)
  })

  test('has at most 366 days, in order', () => {
    const ctx = ctxOf('Asia/Kolkata')
    expect(periodOf(ctx, { from: '2024-01-01', to: '2024-12-31' }).dates).toHaveLength(MAX_DAYS)
    const issuesOf = (query: { from: string; to: string }) => {
      try {
        periodOf(ctx, query)
      } catch (refusal) {
        return JSON.stringify(refusal)
      }
    }
    expect(issuesOf({ from: '2023-12-31', to: '2024-12-31' })).toContain(
      'Must be at most 366 days before `to`.',
    )
    expect(issuesOf({ from: '2024-01-02', to: '2024-01-01' })).toContain('Must not be before `from`.')
  })

  test('the period before has as many days, and ends on the day before', () => {
    const ctx = ctxOf('Asia/Kolkata')
    const { from, to } = periodBefore(ctx, periodOf(ctx, { from: '2026-11-09', to: '2026-11-15' }))
    expect([from, to]).toEqual(['2026-11-02', '2026-11-08'])
  })
})

test.each([
  ['Asia/Kolkata', '2026-06-07T18:29:59Z', { date: '2026-06-07', weekday: 7, hour: 23 }],
  ['Asia/Kolkata', '2026-06-07T18:30:00Z', { date: '2026-06-08', weekday: 1, hour: 0 }],
  ['+05:30', '2026-06-07T18:30:00Z', { date: '2026-06-08', weekday: 1, hour: 0 }],
  // The clocks go from 2:00 to 3:00.
  ['America/New_York', '2026-03-08T06:59:59Z', { date: '2026-03-08', weekday: 7, hour: 1 }],
  ['America/New_York', '2026-03-08T07:00:00Z', { date: '2026-03-08', weekday: 7, hour: 3 }],
  // The clocks go from 2:00 back to 1:00.
  ['America/New_York', '2026-11-01T05:30:00Z', { date: '2026-11-01', weekday: 7, hour: 1 }],
  ['America/New_York', '2026-11-01T06:30:00Z', { date: '2026-11-01', weekday: 7, hour: 1 }],
  ['America/New_York', '2026-11-01T07:00:00Z', { date: '2026-11-01', weekday: 7, hour: 2 }],
])('the local time in %s at %s', (timeZone, time, expected) => {
  const localTimeOf = localTimes(new Date('2026-01-01T00:00:00Z'), new Date('2027-01-01T00:00:00Z'), timeZone)
  expect(localTimeOf(Date.parse(time))).toEqual(expected)
})
