import { expect, test } from 'vitest'
import { type HeldDelivery, isRunningLow, newLane, WIDE } from './delivery-lanes.ts'

test('a lane with waiting rows claims only when its workspace has room for many rows; an empty lane claims immediately', () => {
  const lane = { ...newLane('a shop', 'an endpoint'), limit: WIDE, averageMs: 5, more: true }
  expect(isRunningLow(lane, () => false)).toBe(true)
  lane.waiting.push({} as HeldDelivery)
  expect(isRunningLow(lane, () => false)).toBe(false)
  expect(isRunningLow(lane, () => true)).toBe(true)
})
