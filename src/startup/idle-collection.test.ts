import { expect, test } from 'vitest'
import { idleWatch } from './idle-collection.ts'

/** Returns the seconds, counted from 1, in which garbage is collected. */
function collections(shares: number[]): number[] {
  const mayCollect = idleWatch()
  return shares.flatMap((share, index) => (mayCollect(share) ? [index + 1] : []))
}

const seconds = (count: number, share: number) => Array.from({ length: count }, () => share)

test('the garbage of a start is collected once, after two idle seconds', () => {
  expect(collections([0.9, 0.3, 0.01, 0.11, 0.01, 0.02, ...seconds(300, 0.01)])).toEqual([6])
})

test('the garbage of a load is collected after a minute of rest', () => {
  expect(collections([0, 0, 0.5, ...seconds(59, 0), 0.12, ...seconds(300, 0)])).toEqual([2, 123])
})

test('light work between collections counts as no load', () => {
  expect(collections([0, 0, ...seconds(300, 0.15), ...seconds(300, 0)])).toEqual([2])
})

test('a process that always works never collects', () => {
  expect(collections(seconds(1000, 0.11))).toEqual([])
})
