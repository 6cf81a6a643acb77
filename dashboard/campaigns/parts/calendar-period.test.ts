import { expect, test } from 'vitest'
import { isInside, periodAfter, periodOf, rangeOf, switchKind } from './calendar-period.ts'

test('an address names a month, or the week of a day; without one, it is the month of today', () => {
  expect(periodOf('2026-11', '2026-06-01')).toEqual({ kind: 'month', month: '2026-11' })
  expect(periodOf('2026-11-30', '2026-06-01')).toEqual({ kind: 'week', day: '2026-11-30' })
  for (const text of [undefined, 'x', '2026-13'])
    expect(periodOf(text, '2026-06-01')).toEqual({ kind: 'month', month: '2026-06' })
})

test('periods continue across the ends of years, and change their kind', () => {
  expect(periodAfter({ kind: 'month', month: '2026-12' }, 1)).toEqual({ kind: 'month', month: '2027-01' })
  expect(periodAfter({ kind: 'week', day: '2026-12-30' }, 1)).toEqual({ kind: 'week', day: '2027-01-06' })
  const month = { kind: 'month', month: '2026-11' } as const
  expect(switchKind(month, 'week', '2026-11-29')).toEqual({ kind: 'week', day: '2026-11-29' })
  expect(switchKind(month, 'week', '2026-12-01')).toEqual({ kind: 'week', day: '2026-11-01' })
  expect(switchKind({ kind: 'week', day: '2026-11-29' }, 'month', '2026-11-29')).toEqual(month)
})

test('the range starts and ends at midnight of the zone', () => {
  const { from, to } = rangeOf({ kind: 'week', day: '2026-11-18' }, 'Asia/Kolkata')
  expect(Date.parse(to) - Date.parse(from)).toBe(7 * 86_400_000)
  expect(from.slice(11)).toBe('18:30:00.000Z')
  expect(isInside({ kind: 'week', day: '2026-11-18' }, '2026-11-25')).toBe(false)
})
