import { expect, test } from 'vitest'
import { arrange } from './stacks.ts'

const at = (from: number, to: number) => ({ from, to })

test('bookings that fit are side by side, without a stack', () => {
  const { placed, stacks } = arrange([at(0, 60), at(30, 90), at(100, 130)], 2)
  expect(placed.map(({ item, lane, lanes }) => [item.from, lane, lanes])).toEqual([
    [0, 0, 2],
    [30, 1, 2],
    [100, 0, 1],
  ])
  expect(stacks).toEqual([])
})

test('of more simultaneous bookings, those without room are stacked in the last lane', () => {
  const { placed, stacks } = arrange([at(0, 60), at(0, 30), at(0, 45), at(15, 60)], 2)
  expect(placed.map(({ item, lane, lanes }) => [item.to, lane, lanes])).toEqual([[60, 0, 2]])
  expect(stacks).toEqual([{ from: 0, to: 60, lane: 1, lanes: 2, items: [at(0, 45), at(0, 30), at(15, 60)] }])
})

test('a long busy time becomes several stacks, one below the other, and a booking alone is no stack', () => {
  const busy = [0, 30, 60, 90, 120].flatMap((from) => [at(from, from + 60), at(from, from + 60)])
  const { placed, stacks } = arrange(busy, 2)
  expect(stacks.map(({ from, to, items }) => [from, to, items.length])).toEqual([
    [0, 60, 3],
    [60, 120, 3],
  ])
  expect(placed.filter(({ lane }) => lane === 1).map(({ item }) => item.from)).toEqual([120])
  expect(placed.length + stacks.reduce((sum, { items }) => sum + items.length, 0)).toBe(busy.length)
  for (const [index, { to }] of stacks.entries())
    expect(to).toBeLessThanOrEqual(stacks[index + 1]?.from ?? Number.POSITIVE_INFINITY)
})
