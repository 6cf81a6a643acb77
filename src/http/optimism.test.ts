import { expect, test } from 'vitest'
import { optimism } from './optimism.ts'

test('each failure in a row makes more of the next batches skip the attempt, until one succeeds', () => {
  const { mayTry, succeeded, failed } = optimism()
  const passedOver = (): number => {
    let count = 0
    while (!mayTry()) count++
    return count
  }
  expect(passedOver()).toBe(0)
  const pauses = Array.from({ length: 7 }, () => {
    failed()
    return passedOver()
  })
  expect(pauses).toEqual([8, 16, 32, 64, 128, 256, 256])
  succeeded()
  expect(passedOver()).toBe(0)
  failed()
  expect(passedOver()).toBe(8)
})
