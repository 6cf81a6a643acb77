import { expect, test } from 'vitest'
import { isLocked, refuseLocked } from './locked-books.ts'

test.each([
  ['2026-03-31', '2026-03-31', true],
  ['2026-03-30', '2026-03-31', true],
  ['2026-04-01', '2026-03-31', false],
  ['2026-03-31', null, false],
  [null, '2026-03-31', false],
])('the day %s in books that are locked until %s: %s', (day, lockedUntil, locked) => {
  expect(isLocked(day, lockedUntil)).toBe(locked)
  if (locked) expect(() => refuseLocked(day, lockedUntil)).toThrow('The books are locked until 2026-03-31')
  else refuseLocked(day, lockedUntil)
})
