import { expect, test } from 'vitest'
import { daysLater, isMonth, monthAfter, onDay, rangeOfDays, weeksOf } from './month-days.ts'
import { localOf } from './zone.ts'

test('a month is shown in whole weeks, from the first to after the last visible day of the zone', () => {
  for (const month of ['2026-02', '2026-06', '2026-11', '2027-01', '2028-02']) {
    const weeks = weeksOf(month)
    const days = weeks.flat()
    expect(weeks.every((week) => week.length === 7)).toBe(true)
    expect(days).toEqual([...new Set(days)].sort())
    const length = new Date(Number(month.slice(0, 4)), Number(month.slice(5)), 0).getDate()
    expect(days.filter((day) => day.startsWith(month))).toHaveLength(length)
    expect(weeks.every((week) => week.some((day) => day.startsWith(month)))).toBe(true)
    for (const zone of ['Asia/Kolkata', 'America/Sao_Paulo', 'UTC']) {
      const { from, to } = rangeOfDays(zone, days)
      expect([localOf(zone, from), localOf(zone, to).minute]).toEqual([{ day: days[0], minute: 0 }, 0])
      expect(localOf(zone, Date.parse(to) - 1).day).toBe(days.at(-1))
    }
  }
})

test('months and days continue across the ends of years', () => {
  expect([monthAfter('2026-12', 1), monthAfter('2027-01', -1)]).toEqual(['2027-01', '2026-12'])
  expect(['2026-12', '2026-13', '26-12', undefined].map(isMonth)).toEqual([true, false, false, false])
  const time = '2026-12-31T18:30:00.000Z'
  expect(daysLater('UTC', time, 1)).toBe('2027-01-01T18:30:00.000Z')
  expect(daysLater('Asia/Kolkata', daysLater('Asia/Kolkata', time, 7), -7)).toBe(time)
})

test('a moved time keeps its hour by the clocks of the zone', () => {
  expect(onDay('Asia/Kolkata', '2026-11-18T19:00:00.000Z', '2026-11-25')).toBe('2026-11-24T19:00:00.000Z')
  // The clocks of Berlin go back on 2026-10-25.
  expect(daysLater('Europe/Berlin', '2026-10-24T08:00:00.000Z', 1)).toBe('2026-10-25T09:00:00.000Z')
})
