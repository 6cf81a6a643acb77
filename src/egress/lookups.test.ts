/** Names whose name servers are dead hold nobody up: "one dead, hanging or slow endpoint never delays another". */
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Resolve } from './connect.ts'
import { fairLookups } from './lookups.ts'

const ANSWER = [{ address: '203.0.113.7', family: 4 }]
const SLOW_AFTER_MS = 1_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const turnSlow = async () => {
  await turn()
  vi.advanceTimersByTime(SLOW_AFTER_MS)
  await turn()
}

/** Names that begin with "dead" are not answered until they are let go. */
function opened(quick: number, slow: number) {
  const asked: string[] = []
  const hanging = new Map<string, () => void>()
  const resolve: Resolve = async (hostname) => {
    asked.push(hostname)
    if (hostname.startsWith('dead')) await new Promise<void>((answer) => hanging.set(hostname, answer))
    return ANSWER
  }
  const release = async () => {
    for (const answer of hanging.values()) answer()
    hanging.clear()
    await turn()
  }
  return {
    look: fairLookups(resolve, { quick, slow, slowAfterMs: SLOW_AFTER_MS }),
    asked,
    hanging: () => [...hanging.keys()],
    release,
  }
}

test('a name is answered while others hang, and no more are looked up at once than there are places', async () => {
  const { look, asked, hanging, release } = opened(4, 3)
  const stuck = [0, 1, 2, 3].map((i) => look(`dead-${i}.test`))
  const answered = look('shop.test')
  await turn()
  expect(asked, 'it waits').not.toContain('shop.test')
  await turnSlow()
  expect(await answered, 'three have made room').toEqual(ANSWER)
  const more = [4, 5, 6, 7].map((i) => look(`dead-${i}.test`))
  await turnSlow()
  expect(hanging(), 'all seven places are taken').toHaveLength(7)
  await release()
  await release()
  expect(await Promise.all([...stuck, ...more])).toEqual(Array(8).fill(ANSWER))
})

test('names that hung last time share the places of the slow, and wait for each other only', async () => {
  const { look, hanging, release } = opened(2, 1)
  const first = [look('dead-0.test'), look('dead-1.test')]
  await turnSlow()
  await release()
  await Promise.all(first)
  const again = [look('dead-0.test'), look('dead-1.test')]
  await turn()
  expect(hanging()).toEqual(['dead-0.test'])
  expect(await look('shop.test')).toEqual(ANSWER)
  await release()
  expect(hanging(), 'now it is the turn of the other').toEqual(['dead-1.test'])
  await release()
  await Promise.all(again)
})

test('a name that was answered soon is no longer held for slow', async () => {
  const { look, hanging, release } = opened(1, 1)
  const slow = look('dead-0.test')
  await turnSlow()
  await release()
  await slow
  const soon = look('dead-0.test')
  await turn()
  await release()
  await soon
  const other = look('dead-1.test')
  const quick = look('dead-0.test')
  await turn()
  expect(hanging(), 'it waits for the one place of the quick').toEqual(['dead-1.test'])
  await release()
  await release()
  await Promise.all([other, quick])
})

test('lookups of one name at the same time are one, and nothing is remembered beyond that', async () => {
  const { look, asked, release } = opened(2, 2)
  const both = [look('dead-0.test'), look('dead-0.test')]
  await turn()
  await release()
  expect(await Promise.all(both)).toEqual([ANSWER, ANSWER])
  expect(asked).toEqual(['dead-0.test'])
  await look('shop.test')
  await look('shop.test')
  expect(asked).toEqual(['dead-0.test', 'shop.test', 'shop.test'])
})

test('a lookup that fails gives its place back', async () => {
  const resolve = () => Promise.reject(new Error('unknown'))
  const look = fairLookups(resolve, { quick: 1, slow: 1, slowAfterMs: SLOW_AFTER_MS })
  await expect(look('one.test')).rejects.toThrow('unknown')
  await expect(look('two.test')).rejects.toThrow('unknown')
})
