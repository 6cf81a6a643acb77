import { expect, test } from 'vitest'
import { settledAs } from './settled-as.ts'

test.each([
  [0, 0, 0, 'issued'],
  [40, 0, 0, 'partially_paid'],
  [0, 10, 0, 'partially_paid'],
  [0, 0, 1, 'partially_paid'],
  [80, 10, 10, 'paid'],
  [0, 0, 100, 'paid'],
  [120, 0, 0, 'paid'],
] as const)(
  '100 with %i received, %i withheld, and %i credited is %s',
  (receivedMinor, tdsMinor, creditedMinor, status) => {
    expect(settledAs({ totalMinor: 100, receivedMinor, tdsMinor, creditedMinor })).toBe(status)
  },
)
