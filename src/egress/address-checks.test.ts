/** Address checks that callers trigger at will block neither each other nor due calls. */
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fairChecks } from './address-checks.ts'

const LIMIT_MS = 5_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

function opened(places: { atOnce: number; waiting: number; waitingOfEach: number }) {
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const run = fairChecks({ ...places, limitMs: LIMIT_MS })
  /** Starts a check that runs until it is ended. */
  const check = (asker: string, name: string) => {
    const checked = run(asker, async () => {
      started.push(name)
      await new Promise<void>((end) => ends.set(name, end))
      return name
    })
    checked.catch(() => {})
    return checked
  }
  return { check, started, end: (name: string) => ends.get(name)?.() }
}

test('each caller runs one check at a time, so a caller with many addresses leaves places to others', async () => {
  const { check, started, end } = opened({ atOnce: 2, waiting: 100, waitingOfEach: 10 })
  const ownChecks = ['a1', 'a2', 'a3'].map((name) => check('a', name))
  const otherCheck = check('b', 'b1')
  await turn()
  expect(started).toEqual(['a1', 'b1'])
  end('a1')
  expect(await ownChecks[0]).toBe('a1')
  await turn()
  expect(started).toEqual(['a1', 'b1', 'a2'])
  end('b1')
  expect(await otherCheck).toBe('b1')
})

test('callers take turns for the places', async () => {
  const { check, started, end } = opened({ atOnce: 1, waiting: 100, waitingOfEach: 10 })
  for (const name of ['a1', 'a2', 'a3']) void check('a', name)
  void check('b', 'b1')
  for (const name of ['a1', 'b1', 'a2']) {
    await turn()
    end(name)
  }
  await turn()
  expect(started).toEqual(['a1', 'b1', 'a2', 'a3'])
})

test('checks above the limit, per caller or in total, fail with busy', async () => {
  const { check } = opened({ atOnce: 1, waiting: 3, waitingOfEach: 2 })
  for (const name of ['a1', 'a2', 'a3']) void check('a', name)
  await expect(check('a', 'a4')).rejects.toMatchObject({ reason: 'busy' })
  void check('b', 'b1')
  await expect(check('c', 'c1')).rejects.toMatchObject({ reason: 'busy' })
})

test('a check that runs out of time ends, running or waiting, and frees its place', async () => {
  const { check, started, end } = opened({ atOnce: 1, waiting: 10, waitingOfEach: 1 })
  const [runs, waits, other] = [check('a', 'a1'), check('a', 'a2'), check('b', 'b1')]
  await turn()
  vi.advanceTimersByTime(LIMIT_MS)
  for (const check of [runs, waits, other]) await expect(check).rejects.toMatchObject({ reason: 'dns' })
  const next = check('c', 'c1')
  await turn()
  expect(started).toEqual(['a1', 'c1'])
  end('c1')
  expect(await next).toBe('c1')
})
