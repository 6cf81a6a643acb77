import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextTime } from './next-time.ts'
import type { Schedule } from './schema.ts'

const walk = (schedule: Schedule, from: string, zone: string, count: number): string[] => {
  const times: string[] = []
  let time = new Date(from)
  for (let i = 0; i < count; i++) {
    time = nextTime(schedule, time, zone)
    times.push(time.toISOString())
  }
  return times
}

test('schedules keep local time over DST', () => {
  const daily: Schedule = { every: 'day', at: '09:30' }
  expect(walk(daily, '2026-03-07T00:00:00Z', 'America/New_York', 3)).toEqual([
    '2026-03-07T14:30:00.000Z',
    '2026-03-08T13:30:00.000Z',
    '2026-03-09T13:30:00.000Z',
  ])
})

test('a local time that DST skips runs later by the gap, and one that DST repeats runs once', () => {
  const daily: Schedule = { every: 'day', at: '02:30' }
  expect(walk(daily, '2026-03-07T12:00:00Z', 'America/New_York', 2)).toEqual([
    '2026-03-08T07:30:00.000Z',
    '2026-03-09T06:30:00.000Z',
  ])
  const doubled: Schedule = { every: 'day', at: '01:30' }
  expect(walk(doubled, '2026-11-01T04:00:00Z', 'America/New_York', 2)).toEqual([
    '2026-11-01T05:30:00.000Z',
    '2026-11-02T06:30:00.000Z',
  ])
})

test('weeks and months run on their days; a shorter month runs on its last day', () => {
  const weekly: Schedule = { every: 'week', at: '10:00', days: [1, 5] }
  expect(walk(weekly, '2026-11-23T11:00:00Z', 'UTC', 3)).toEqual([
    '2026-11-27T10:00:00.000Z',
    '2026-11-30T10:00:00.000Z',
    '2026-12-04T10:00:00.000Z',
  ])
  const monthly: Schedule = { every: 'month', at: '00:00', days: [31] }
  expect(walk(monthly, '2027-01-31T00:00:00Z', 'UTC', 3)).toEqual([
    '2027-02-28T00:00:00.000Z',
    '2027-03-31T00:00:00.000Z',
    '2027-04-30T00:00:00.000Z',
  ])
})

test('in every zone, the next time is later, has the local time or follows a gap, and skips no day', () => {
  const zones = [
    'Asia/Kolkata',
    'America/New_York',
    'Australia/Lord_Howe',
    'Pacific/Apia',
    'Africa/Cairo',
    'UTC',
  ]
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.integer({ min: 0, max: 23 }),
      fc.date({ min: new Date('2015-01-01'), max: new Date('2035-01-01'), noInvalidDate: true }),
      (zone, hour, after) => {
        const time = nextTime({ every: 'day', at: `${String(hour).padStart(2, '0')}:15` }, after, zone)
        const hours = (time.getTime() - after.getTime()) / 3_600_000
        expect(hours).toBeGreaterThan(0)
        expect(hours).toBeLessThanOrEqual(49)
        const local = Temporal.Instant.fromEpochMilliseconds(time.getTime()).toZonedDateTimeISO(zone)
        expect([0, 15, 45]).toContain((local.minute + 60) % 60)
      },
    ),
  )
})
