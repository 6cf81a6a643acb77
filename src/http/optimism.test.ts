import { expect, test } from 'vitest'
import { optimism } from './optimism.ts'

test('after a failure the next batches are not tried, more of them each time in a row, until one succeeds', () => {
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
