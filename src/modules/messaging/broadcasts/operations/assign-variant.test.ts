import { expect, test } from 'vitest'
import { newId } from '../../../../core/ids.ts'
import { assignVariant, fillShares } from './assign-variant.ts'

const variants = [
  { number: 1, share: 50 },
  { number: 2, share: 30 },
  { number: 3, share: 20 },
]

test('a recipient always gets the same variant, and about the given share of recipients gets each', () => {
  const broadcastId = newId()
  const ids = Array.from({ length: 20_000 }, () => newId())
  const assign = () => ids.map((id) => assignVariant({ broadcastId, samplePercent: 40 }, variants, id))
  const numbers = assign()
  expect(assign()).toEqual(numbers)
  const shareOf = (number: number | null) => numbers.filter((found) => found === number).length / ids.length
  expect(shareOf(null)).toBeCloseTo(0.6, 1)
  expect(shareOf(1)).toBeCloseTo(0.4 * 0.5, 1)
  expect(shareOf(2)).toBeCloseTo(0.4 * 0.3, 1)
  expect(shareOf(3)).toBeCloseTo(0.4 * 0.2, 1)
})

test('with a sample of 100 percent, every recipient is in it', () => {
  const test = { broadcastId: newId(), samplePercent: 100 }
  const ids = Array.from({ length: 1_000 }, () => newId())
  expect(ids.every((id) => assignVariant(test, variants, id) !== null)).toBe(true)
})

test('variants without a share divide the rest equally, the first ones the remainder', () => {
  expect(fillShares([undefined, undefined])).toEqual([50, 50])
  expect(fillShares([undefined, undefined, undefined])).toEqual([34, 33, 33])
  expect(fillShares([50, undefined, undefined])).toEqual([50, 25, 25])
  expect(fillShares([60, undefined])).toEqual([60, 40])
  expect(fillShares([10, 90])).toEqual([10, 90])
})
