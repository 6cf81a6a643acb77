import { describe, expect, test } from 'vitest'
import { turns } from './lock-queue.ts'

const never = (): boolean => false
const inOrder = { atOnce: 1, maxWaiting: 2, maxWaitMs: 60_000 }
const BUSY = { code: 'service_unavailable' }

/** Work that ends when the test ends it. */
function work() {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let hasStarted = false
  const run = () => {
    hasStarted = true
    return promise
  }
  return { run, resolve, reject, hasBegun: () => hasStarted }
}

describe('turns', () => {
  test('are taken in order, and separately for each key', async () => {
    const inTurn = turns(inOrder)
    const [first, second, other] = [work(), work(), work()]
    const done = [
      inTurn('a', first.run, never),
      inTurn('a', second.run, never),
      inTurn('b', other.run, never),
    ]
    expect([first, second, other].map((item) => item.hasBegun())).toEqual([true, false, true])
    first.resolve('first')
    expect(await done[0]).toBe('first')
    expect(second.hasBegun()).toBe(true)
    second.resolve('second')
    other.resolve('other')
    expect(await Promise.all(done)).toEqual(['first', 'second', 'other'])
  })

  test('are refused when too many wait, or when one waits too long', async () => {
    const inTurn = turns(inOrder)
    const first = work()
    const results = [1, 2, 3, 4].map(() => inTurn('a', first.run, never))
    await expect(results[3]).rejects.toMatchObject(BUSY)
    first.resolve('first')
    await Promise.all(results.slice(0, 3))
    const impatient = turns({ ...inOrder, maxWaitMs: 1 })
    const slow = work()
    const running = impatient('a', slow.run, never)
    await expect(impatient('a', slow.run, never)).rejects.toMatchObject(BUSY)
    slow.resolve('slow')
    expect(await running).toBe('slow')
    expect(await impatient('a', slow.run, never)).toBe('slow')
  })

  test('a fault that `isOver` matches ends all waiting work; any other fault affects only its own', async () => {
    const inTurn = turns(inOrder)
    const isAway = (error: unknown) => error instanceof Error && error.message === 'away'
    const [refused, away, waiting] = [work(), work(), work()]
    const results = Promise.allSettled([refused, away, waiting].map((item) => inTurn('a', item.run, isAway)))
    refused.reject(new Error('taken'))
    away.reject(new Error('away'))
    expect((await results).map((item) => item.status === 'rejected' && item.reason.message)).toEqual([
      'taken',
      'away',
      'away',
    ])
    expect(waiting.hasBegun()).toBe(false)
  })
})
