/** Hanging lookups block no other lookups: docs/reliability.md row 12, here for name servers. */
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Resolve } from './connect.ts'
import { fairLookups } from './lookups.ts'

const ANSWER = [{ address: '203.0.113.7', family: 4 }]
const SLOW_AFTER_MS = 1_000
const LIMIT_MS = 5_000
const times = { slowAfterMs: SLOW_AFTER_MS, limitMs: LIMIT_MS }

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const pass = async (ms: number) => {
  await turn()
  vi.advanceTimersByTime(ms)
  await turn()
}

/** Names that start with "dead" get no answer until they are released. */
function opened(quick: number, slow: number) {
  const lookedUp: string[] = []
  const hanging = new Map<string, () => void>()
  const resolve: Resolve = async (hostname) => {
    lookedUp.push(hostname)
    if (hostname.startsWith('dead')) await new Promise<void>((answer) => hanging.set(hostname, answer))
    return ANSWER
  }
  const release = async () => {
    for (const answer of hanging.values()) answer()
    hanging.clear()
    await turn()
  }
  return { lookUp: fairLookups(resolve, { quick, slow, ...times }), lookedUp, release }
}

const dead = (count: number) => Array.from({ length: count }, (_, i) => `dead-${i}.test`)
/** Starts lookups whose results the test checks later. */
const begin = (lookUp: Resolve, names: string[]) => Promise.allSettled(names.map(lookUp))

test('when many names hang at the same time, a working name gets a place within a second', async () => {
  const { lookUp, lookedUp } = opened(4, 1)
  const stuck = begin(lookUp, dead(4))
  const answered = lookUp('shop.test')
  await turn()
  expect(lookedUp, 'it waits').not.toContain('shop.test')
  await pass(SLOW_AFTER_MS)
  expect(await answered, 'all four have made room, although there is one place for the slow').toEqual(ANSWER)
  const more = begin(lookUp, dead(12).slice(4))
  await pass(SLOW_AFTER_MS)
  await pass(SLOW_AFTER_MS)
  expect(lookedUp).toEqual(expect.arrayContaining(dead(12)))
  await pass(LIMIT_MS)
  const ends = [...(await stuck), ...(await more)]
  expect(ends.map((end) => end.status === 'rejected' && end.reason.reason)).toEqual(Array(12).fill('dns'))
})

test('names that hung last time share the slow places and wait only for each other', async () => {
  const { lookUp, lookedUp, release } = opened(2, 1)
  const first = begin(lookUp, dead(2))
  await pass(SLOW_AFTER_MS)
  await release()
  await first
  lookedUp.length = 0
  const repeated = begin(lookUp, dead(2))
  await turn()
  expect(lookedUp).toEqual(['dead-0.test'])
  expect(await lookUp('shop.test')).toEqual(ANSWER)
  await release()
  expect(lookedUp.at(-1), 'now it is the turn of the other').toBe('dead-1.test')
  await release()
  await repeated
})

test('a lookup that waits longer than its time limit leaves the line', async () => {
  const { lookUp, lookedUp, release } = opened(2, 1)
  const first = begin(lookUp, dead(2))
  await pass(SLOW_AFTER_MS)
  await release()
  await first
  lookedUp.length = 0
  const repeated = begin(lookUp, dead(2))
  await pass(LIMIT_MS)
  expect((await repeated).map((end) => end.status)).toEqual(['rejected', 'rejected'])
  expect(lookedUp, 'the second was never looked up').toEqual(['dead-0.test'])
  const last = lookUp('dead-1.test')
  await turn()
  await release()
  expect(await last, 'and its place is free').toEqual(ANSWER)
})

test('a lookup that another caller also needs keeps waiting', async () => {
  const { lookUp, release } = opened(3, 1)
  const first = begin(lookUp, dead(3))
  await pass(SLOW_AFTER_MS)
  await release()
  await first
  const repeated = begin(lookUp, dead(3))
  await pass(LIMIT_MS - 1)
  const joined = lookUp('dead-2.test')
  await pass(1)
  await turn()
  await release()
  expect((await repeated).map((end) => end.status)).toEqual(['rejected', 'rejected', 'fulfilled'])
  expect(await joined).toEqual(ANSWER)
})

test('a name that answers quickly no longer counts as slow', async () => {
  const { lookUp, lookedUp, release } = opened(1, 1)
  const slow = lookUp('dead-0.test')
  await pass(SLOW_AFTER_MS)
  await release()
  await slow
  const soon = lookUp('dead-0.test')
  await turn()
  await release()
  await soon
  lookedUp.length = 0
  const other = lookUp('dead-1.test')
  const quick = lookUp('dead-0.test')
  await turn()
  expect(lookedUp, 'it waits for the one place of the quick').toEqual(['dead-1.test'])
  await release()
  await release()
  await Promise.all([other, quick])
})

test("concurrent lookups of one name are a single lookup, and its result isn't cached", async () => {
  const { lookUp, lookedUp, release } = opened(1, 2)
  const lookups = [lookUp('dead-0.test'), lookUp('dead-0.test')]
  const waiting = [lookUp('dead-1.test'), lookUp('dead-1.test')]
  await turn()
  await release()
  expect(await Promise.all(lookups)).toEqual([ANSWER, ANSWER])
  await release()
  expect(await Promise.all(waiting)).toEqual([ANSWER, ANSWER])
  expect(lookedUp).toEqual(['dead-0.test', 'dead-1.test'])
  await lookUp('shop.test')
  await lookUp('shop.test')
  expect(lookedUp.slice(2)).toEqual(['shop.test', 'shop.test'])
})

test('a failed lookup frees its place', async () => {
  const resolve = () => Promise.reject(new Error('unknown'))
  const lookUp = fairLookups(resolve, { quick: 1, slow: 1, ...times })
  await expect(lookUp('one.test')).rejects.toThrow('unknown')
  await expect(lookUp('two.test')).rejects.toThrow('unknown')
})
