import fc from 'fast-check'
import { expect, test } from 'vitest'
import { narrowLane, newLane, pauseLane, roomOf, widenLane } from './lane.ts'
import type { Waiting } from './pair.ts'

const laneOf = (throughput: number) =>
  newLane('w', {
    id: 'n',
    operator: 'cloud',
    operatorId: '1',
    accountId: '2',
    baseUrl: 'http://127.0.0.1',
    token: 't',
    tokenSealed: Buffer.alloc(0),
    state: 'active',
    throughput,
  })
const message: Waiting = { workspaceId: 'w', id: 'm', conversationId: 'c', runAtMs: 0 }

test('a number never exceeds its throughput in any second, regardless of the number of checks, and comes near it', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(20, 80, 1000),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 100, maxLength: 200 }),
      (throughput, steps) => {
        const lane = laneOf(throughput)
        lane.limit = Number.MAX_SAFE_INTEGER
        lane.ready = Array.from({ length: 20_000 }, () => message)
        const startTimes: number[] = []
        let nowMs = 0
        for (const step of steps) {
          nowMs += step
          const room = roomOf(lane, nowMs)
          lane.tokens -= room
          for (let i = 0; i < room; i++) startTimes.push(nowMs)
        }
        for (const [i, startMs] of startTimes.entries()) {
          const last = startTimes[i + throughput]
          if (last !== undefined) expect(last - startMs).toBeGreaterThanOrEqual(1000)
        }
        expect(startTimes.length).toBeGreaterThan((throughput * 0.85 * nowMs) / 1000 - 4)
      },
    ),
    { numRuns: 30 },
  )
})

test('it opens narrow, widens with success, and narrows to one message after trouble', () => {
  const lane = laneOf(80)
  lane.ready = Array.from({ length: 500 }, () => message)
  lane.tokens = 4
  expect(roomOf(lane, 0)).toBe(4)
  for (let i = 0; i < 10; i++) widenLane(lane, 0)
  expect(lane.limit).toBe(80)
  expect(pauseLane(lane, 'throttle', 0, 0)).toBe(1_000)
  expect(lane.limit).toBe(1)
  // Calls that end while the lane is paused do not start another pause.
  expect(pauseLane(lane, 'throttle', 0, 500)).toBeUndefined()
  widenLane(lane, 500)
  expect(lane.limit).toBe(1)
  expect(pauseLane(lane, 'throttle', 0, 1_000)).toBe(3_000)
  widenLane(lane, 3_000)
  expect(pauseLane(lane, 'throttle', 9_000, 3_000)).toBe(12_000)
})

test('the third fault in a row pauses it', () => {
  const lane = laneOf(80)
  expect([narrowLane(lane, 0), narrowLane(lane, 0), narrowLane(lane, 0)]).toEqual([
    undefined,
    undefined,
    1_000,
  ])
  widenLane(lane, 1_000)
  expect(narrowLane(lane, 1_000)).toBeUndefined()
})
