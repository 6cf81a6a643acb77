import { expect, test } from 'vitest'
import { throttleCheck } from './health.ts'

const started = (known?: string) => {
  let [now, checks] = [0, 0]
  const clock = { monotonicMs: () => now, now: () => new Date(now) }
  const read = throttleCheck(clock as never, 1_000, async () => `check ${++checks}`, known)
  return { read, wait: (ms: number) => (now += ms) }
}

test('callers get the last answer until it is too old', async () => {
  const { read, wait } = started()
  expect(await read()).toBe('check 1')
  wait(999)
  expect(await read()).toBe('check 1')
  wait(1)
  expect(await read()).toBe('check 2')
})

test('an answer that is known at the start counts like one of a check', async () => {
  const { read, wait } = started('known')
  wait(999)
  expect(await read()).toBe('known')
  wait(1)
  expect(await read()).toBe('check 1')
})
