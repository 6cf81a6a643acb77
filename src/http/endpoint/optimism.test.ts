import { expect, test } from 'vitest'
import { createOptimism } from './optimism.ts'

test('each failure in a row makes more of the next batches skip the attempt, until one succeeds', () => {
  const { mayTry, succeeded, failed } = createOptimism()
  const countSkips = (): number => {
    let count = 0
    while (!mayTry()) count++
    return count
  }
  expect(countSkips()).toBe(0)
  const pauses = Array.from({ length: 7 }, () => {
    failed()
    return countSkips()
  })
  expect(pauses).toEqual([8, 16, 32, 64, 128, 256, 256])
  succeeded()
  expect(countSkips()).toBe(0)
  failed()
  expect(countSkips()).toBe(8)
})
