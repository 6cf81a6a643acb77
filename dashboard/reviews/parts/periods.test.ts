import { expect, test } from 'vitest'
import { firstDayOf, periodOf, periodsBetween } from './periods.ts'

test('spans start on a Monday or on the first of a month, so that their first week or month is whole', () => {
  // A Wednesday.
  expect(firstDayOf('quarter', '2026-06-03')).toBe('2026-03-16')
  expect(firstDayOf('year', '2026-06-03')).toBe('2025-07-01')
  expect(firstDayOf('always', '2026-06-03')).toBeUndefined()
})

test('weeks and months without reviews are also in the trend', () => {
  expect(periodsBetween('week', '2026-03-16', '2026-04-01')).toEqual([
    '2026-03-16',
    '2026-03-23',
    '2026-03-30',
  ])
  expect(periodsBetween('month', '2025-11-30', '2026-01-01')).toEqual([
    '2025-11-01',
    '2025-12-01',
    '2026-01-01',
  ])
})

test('twelve weeks are shown by week, longer spans by month, unless the address names it', () => {
  expect(periodOf({ span: 'quarter' })).toBe('week')
  expect(periodOf({})).toBe('month')
  expect(periodOf({ span: 'year', by: 'week' })).toBe('week')
  expect(periodOf({ by: 'day' })).toBe('month')
})
