import { expect, test } from 'vitest'
import { lanesOf } from './lanes.ts'

test('simultaneous bookings are side by side, and other bookings use the full width', () => {
  const placed = lanesOf([
    { from: 60, to: 120 },
    { from: 0, to: 60 },
    { from: 90, to: 150 },
    { from: 120, to: 180 },
    { from: 200, to: 230 },
  ])
  expect(placed.map(({ item, lane, lanes }) => [item.from, lane, lanes])).toEqual([
    [0, 0, 1],
    [60, 0, 2],
    [90, 1, 2],
    [120, 0, 2],
    [200, 0, 1],
  ])
  expect(lanesOf([])).toEqual([])
})
