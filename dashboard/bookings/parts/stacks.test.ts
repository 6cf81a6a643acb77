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

test('more simultaneous bookings than fit are one stack, and other times stay as they are', () => {
  const { placed, stacks } = arrange([at(0, 60), at(0, 30), at(15, 60), at(60, 90), at(200, 230)], 2)
  expect(placed.map(({ item }) => item.from)).toEqual([60, 200])
  expect(stacks).toEqual([{ from: 0, to: 60, items: [at(0, 60), at(0, 30), at(15, 60)] }])
})

test('a long busy time becomes several stacks without a gap, also under a long booking', () => {
  const busy = [0, 30, 60, 90, 120].flatMap((from) => [at(from, from + 60), at(from, from + 60)])
  const { placed, stacks } = arrange([at(0, 300), ...busy], 2)
  expect(placed).toEqual([])
  expect(stacks.map(({ from, to, items }) => [from, to, items.length])).toEqual([
    [0, 60, 5],
    [60, 120, 4],
    [120, 300, 2],
  ])
})
