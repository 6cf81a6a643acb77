import { expect, test } from 'vitest'
import { changeIn, periodBefore, periodOf } from './period.ts'

// A Wednesday. Without a browser, the pages are in English, and weeks start on Sunday.
const TODAY = '2026-03-11'

test.each([
  [{ period: 'week' }, '2026-03-08', TODAY, '2026-03-04', '2026-03-07'],
  [{ period: 'lastWeek' }, '2026-03-01', '2026-03-07', '2026-02-22', '2026-02-28'],
  [{}, '2026-02-10', TODAY, '2026-01-11', '2026-02-09'],
  [{ period: 'month' }, '2026-03-01', TODAY, '2026-02-18', '2026-02-28'],
  [{ period: 'lastMonth' }, '2026-02-01', '2026-02-28', '2026-01-04', '2026-01-31'],
  [
    { period: 'own', from: '2026-01-01', to: '2026-01-01' },
    '2026-01-01',
    '2026-01-01',
    '2025-12-31',
    '2025-12-31',
  ],
])('%j is a period, with the one before', (search, from, to, fromBefore, toBefore) => {
  const period = periodOf(search, TODAY)!
  expect(period).toEqual({ from, to })
  expect(periodBefore(period)).toEqual({ from: fromBefore, to: toBefore })
})

test.each([
  { period: 'own' },
  { period: 'own', from: '2026-02-01', to: '2026-01-31' },
  { period: 'own', from: '2024-12-31', to: '2026-01-01' },
  { period: 'own', from: 'yesterday', to: '2026-01-01' },
])('%j is no period', (search) => {
  expect(periodOf(search, TODAY)).toBeUndefined()
})

test('a change is relative to the value before', () => {
  expect([changeIn(150, 100), changeIn(1, 3), changeIn(5, 0), changeIn(null, 3), changeIn(3, null)]).toEqual([
    50,
    -67,
    undefined,
    undefined,
    undefined,
  ])
})
