import { expect, test } from 'vitest'
import { dayAfter, formatLongDay, formatShortDay, instantOf, localOf, weekOf } from './zone.ts'
import { fromZoneInput, toZoneInput } from './zone-times.tsx'

test('a time is converted to the day and time of the zone, and back', () => {
  expect(localOf('Asia/Kolkata', '2026-05-31T20:00:00Z')).toEqual({ day: '2026-06-01', minute: 90 })
  expect(instantOf('Asia/Kolkata', { day: '2026-06-01', minute: 90 })).toBe('2026-05-31T20:00:00.000Z')
  expect(fromZoneInput('Asia/Kolkata', toZoneInput('Asia/Kolkata', '2026-05-31T20:00:00Z'))).toBe(
    '2026-05-31T20:00:00.000Z',
  )
  expect(fromZoneInput('Asia/Kolkata', '')).toBeUndefined()
})

test("a day begins at the zone's midnight, also on days when the clocks change", () => {
  expect(instantOf('Europe/Berlin', { day: '2026-03-29', minute: 0 })).toBe('2026-03-28T23:00:00.000Z')
  expect(instantOf('Europe/Berlin', { day: '2026-03-30', minute: 0 })).toBe('2026-03-29T22:00:00.000Z')
  expect(instantOf('Europe/Berlin', { day: '2026-03-29', minute: 600 })).toBe('2026-03-29T08:00:00.000Z')
})

test('a time skipped by the clocks moves later by the skipped hour; of a repeated time, the first is used', () => {
  const roundTrip = (zone: string, day: string, minute: number) =>
    localOf(zone, instantOf(zone, { day, minute }))
  expect(roundTrip('America/Santiago', '2026-09-06', 0)).toEqual({ day: '2026-09-06', minute: 60 })
  expect(roundTrip('America/St_Johns', '2026-03-08', 150)).toEqual({ day: '2026-03-08', minute: 210 })
  expect(roundTrip('Africa/Cairo', '2026-04-24', 30)).toEqual({ day: '2026-04-24', minute: 90 })
  expect(instantOf('America/St_Johns', { day: '2026-11-01', minute: 90 })).toBe('2026-11-01T04:00:00.000Z')
  expect(instantOf('Pacific/Apia', { day: '2026-11-27', minute: 0 })).toBe('2026-11-26T11:00:00.000Z')
})

test('a week contains the seven days around its day', () => {
  const week = weekOf('2026-06-03')
  expect(week).toHaveLength(7)
  expect(week).toContain('2026-06-03')
  expect(week[6]).toBe(dayAfter(week[0]!, 6))
})

test('a day of another year includes its year', () => {
  const year = new Date().getFullYear()
  for (const format of [formatLongDay, formatShortDay]) {
    expect(format(`${year - 1}-12-31`)).toContain(String(year - 1))
    expect(format(`${year + 1}-01-01`)).toContain(String(year + 1))
    expect(format(`${year}-01-01`)).not.toContain(String(year))
  }
})
