import { expect, test } from 'vitest'
import { dayOf, lastMidnight, nextMidnight, startOfDay, zoneInSql } from './calendar.ts'

test.each([
  [
    '2026-06-01T18:29:59.999Z',
    'Asia/Kolkata',
    '2026-06-01',
    '2026-05-31T18:30:00.000Z',
    '2026-06-01T18:30:00.000Z',
  ],
  [
    '2026-06-01T18:30:00.000Z',
    'Asia/Kolkata',
    '2026-06-02',
    '2026-06-01T18:30:00.000Z',
    '2026-06-02T18:30:00.000Z',
  ],
  // A day of 23 hours and a day of 25 hours.
  [
    '2026-03-29T12:00:00.000Z',
    'Europe/Berlin',
    '2026-03-29',
    '2026-03-28T23:00:00.000Z',
    '2026-03-29T22:00:00.000Z',
  ],
  [
    '2026-10-25T12:00:00.000Z',
    'Europe/Berlin',
    '2026-10-25',
    '2026-10-24T22:00:00.000Z',
    '2026-10-25T23:00:00.000Z',
  ],
  // Midnight does not exist there on that day: the clocks move from 24:00 to 01:00.
  [
    '2026-09-06T12:00:00.000Z',
    'America/Santiago',
    '2026-09-06',
    '2026-09-06T04:00:00.000Z',
    '2026-09-07T03:00:00.000Z',
  ],
])('%s in %s is %s, from %s to %s', (time, timezone, day, from, to) => {
  const moment = new Date(time)
  expect(dayOf(moment, timezone)).toBe(day)
  expect(lastMidnight(moment, timezone).toISOString()).toBe(from)
  expect(nextMidnight(moment, timezone).toISOString()).toBe(to)
})

test.each([
  ['2026-06-01', 'Asia/Kolkata', '2026-05-31T18:30:00.000Z'],
  ['2026-06-01', 'Pacific/Kiritimati', '2026-05-31T10:00:00.000Z'],
  ['2026-06-01', 'Pacific/Niue', '2026-06-01T11:00:00.000Z'],
  // The clocks move forward at midnight, so the day starts at 01:00.
  ['2026-04-24', 'Africa/Cairo', '2026-04-23T22:00:00.000Z'],
])('%s in %s starts at %s', (day, timezone, begins) => {
  expect(startOfDay(day, timezone)?.toISOString()).toBe(begins)
})

test.each(['2026-02-30', '2026-6-1', 'today', '2026-06-01T00:00:00Z'])('%s is not a valid day', (text) => {
  expect(startOfDay(text, 'Asia/Kolkata')).toBeUndefined()
})

test.each([
  ['Asia/Kolkata', 'Asia/Kolkata'],
  ['+05:30', '-05:30'],
  ['-03:00', '+03:00'],
])('PostgreSQL reads the zone %s as %s', (zone, inSql) => {
  expect(zoneInSql(zone)).toBe(inSql)
})
