import { expect, test } from 'vitest'
import type { Clock } from '../../../../core/clock.ts'
import { watchStrips } from './stripped-events.ts'

function watching() {
  let nowMs = 1_000
  const watch = watchStrips({ monotonicMs: () => nowMs } as Clock)
  watch.setListening(true)
  return {
    watch,
    pass: (ms: number): void => {
      nowMs += ms
    },
    now: () => nowMs,
  }
}

test('an event that was read before a strip of its workspace may be stale', () => {
  const { watch, pass, now } = watching()
  const before = now()
  pass(10)
  watch.heard('w1')
  expect(watch.mayBeStale('w1', before)).toBe(true)
  expect(watch.mayBeStale('w2', before)).toBe(false)
  pass(10)
  expect(watch.mayBeStale('w1', now())).toBe(false)
})

test('events that were read before the process listens may be stale', () => {
  const { watch, now } = watching()
  expect(watch.mayBeStale('w1', now() - 1)).toBe(true)
})

test('without notifications, events are fresh for a second', () => {
  const { watch, pass, now } = watching()
  watch.setListening(false)
  const readAt = now()
  pass(999)
  expect(watch.mayBeStale('w1', readAt)).toBe(false)
  pass(1)
  expect(watch.mayBeStale('w1', readAt)).toBe(true)
})

test('with more than 10,000 stripped workspaces, reads before the forgotten ones may be stale', () => {
  const { watch, pass, now } = watching()
  const before = now()
  pass(10)
  for (let i = 0; i <= 10_000; i++) watch.heard(`w${i}`)
  expect(watch.mayBeStale('unknown', before)).toBe(true)
  expect(watch.mayBeStale('unknown', now())).toBe(false)
})
