import { expect, test } from 'vitest'
import { dayOf, daysLater, isMonth, monthAfter, visibleRange, weeksOf } from './month-days.ts'

test('a month is shown in whole weeks, from the first to after the last visible day', () => {
  for (const month of ['2026-02', '2026-06', '2026-11', '2027-01', '2028-02']) {
    const weeks = weeksOf(month)
    const days = weeks.flat()
    expect(weeks.every((week) => week.length === 7)).toBe(true)
    expect(days).toEqual([...new Set(days)].sort())
    const length = new Date(Number(month.slice(0, 4)), Number(month.slice(5)), 0).getDate()
    expect(days.filter((day) => day.startsWith(month))).toHaveLength(length)
    expect(weeks.every((week) => week.some((day) => day.startsWith(month)))).toBe(true)
    const { from, to } = visibleRange(month)
    expect([dayOf(from), dayOf(Date.parse(to) - 1)]).toEqual([days[0], days.at(-1)])
  }
})

test('months and days continue across the ends of years', () => {
  expect([monthAfter('2026-12', 1), monthAfter('2027-01', -1)]).toEqual(['2027-01', '2026-12'])
  expect(['2026-12', '2026-13', '26-12', undefined].map(isMonth)).toEqual([true, false, false, false])
  const time = new Date(2026, 11, 31, 18, 30).toISOString()
  expect(new Date(daysLater(time, 1))).toEqual(new Date(2027, 0, 1, 18, 30))
  expect(daysLater(daysLater(time, 7), -7)).toBe(time)
})
