import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { describeRateLimitStore } from '../../../test/support/rate-limit-suite.ts'
import { findRedisBinary, freePort, startRedis } from '../../../test/support/redis-server.ts'
import { until } from '../../../test/support/until.ts'
import { LimiterUnavailable, type Verdict } from './port.ts'
import { createRedisStore } from './redis-store.ts'
import { takesFor } from './takes.ts'

const START_MS = 1_790_000_000_000

/** What a check that cannot be made now has for a cause: it was not even sent. */
const GIVEN_UP = "Stream isn't writeable and enableOfflineQueue options is false"
/** The cause of a check that fails. */
const whyNot = (taken: Promise<unknown>): Promise<string> =>
  taken.then(
    () => 'it was taken',
    (error) => {
      expect(error).toBeInstanceOf(LimiterUnavailable)
      return error.cause.message
    },
  )

const binary = findRedisBinary()
if (binary === undefined)
  console.warn(
    'SKIPPED: no redis-server or valkey-server on this machine, so the Redis limiter is NOT tested.',
  )

describe.skipIf(binary === undefined)('with a Redis server', () => {
  let server: Awaited<ReturnType<typeof startRedis>>
  beforeAll(async () => {
    server = await startRedis(binary!)
  })
  afterAll(() => server.kill())

  async function open(time: 'server' | 'caller', timeoutMs?: number) {
    const store = createRedisStore(server.url, { time, ...(timeoutMs === undefined ? {} : { timeoutMs }) })
    await store.connected()
    return store
  }

  describeRateLimitStore('redis', () => open('caller', 5000))

  test('two processes together admit no more than burst + refill x time', async () => {
    const [first, second] = await Promise.all([open('server', 5000), open('server', 5000)])
    const takes = takesFor('send', 'shared-workspace')
    const startedMs = performance.now()
    let admitted = 0
    const hammer = async (store: typeof first) => {
      for (let round = 0; round < 40; round++) {
        const verdicts = await Promise.all(Array.from({ length: 10 }, () => store.take(takes, 0)))
        admitted += verdicts.filter((verdict) => verdict.allowed).length
      }
    }
    await Promise.all([hammer(first), hammer(second)])
    const elapsedSeconds = (performance.now() - startedMs) / 1000
    await Promise.all([first.close(), second.close()])
    expect(admitted).toBeGreaterThanOrEqual(200)
    expect(admitted).toBeLessThanOrEqual(200 + Math.ceil(50 * elapsedSeconds) + 1)
  })

  test('what is asked at once goes to Redis in few calls', async () => {
    const store = await open('server', 5000)
    const redis = new Redis(server.url)
    const calls = async (): Promise<number> => {
      const statistics = await redis.info('commandstats')
      return Number(/cmdstat_evalsha:calls=(\d+)/.exec(statistics)?.[1])
    }
    const ofWorkspace = (i: number) => store.take(takesFor('send', `crowd-${i % 100}`), 0)
    await ofWorkspace(0)
    const before = await calls()
    const verdicts = await Promise.all(Array.from({ length: 300 }, (_, i) => ofWorkspace(i)))
    expect(verdicts.every((verdict) => verdict.allowed)).toBe(true)
    expect((await calls()) - before).toBe(2)
    redis.disconnect()
    await store.close()
  })

  test('a server that shares its keys out over nodes is asked for each workspace by itself', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-redis-'))
    const settings = ['--dir', folder, '--cluster-enabled', 'yes', '--cluster-port', String(await freePort())]
    const sharded = await startRedis(binary!, settings)
    const redis = new Redis(sharded.url)
    onTestFinished(async () => {
      redis.disconnect()
      await sharded.kill()
      rmSync(folder, { recursive: true })
    })
    await redis.call('CLUSTER', 'ADDSLOTSRANGE', 0, 16383)
    await until(async () => /cluster_state:ok/.test(String(await redis.call('CLUSTER', 'INFO'))), 'it serves')
    const store = createRedisStore(sharded.url, { timeoutMs: 5000 })
    await store.connected()
    const askAll = (): Promise<Verdict[]> =>
      Promise.all(
        Array.from({ length: 40 }, (_, i) =>
          store.take(takesFor('contact-erasure', `sharded-${i % 10}`, 'a-key'), 0),
        ),
      )
    const remaining = (await askAll()).map((verdict) => verdict.remaining)
    expect(remaining).toEqual([9, 8, 7, 6].flatMap((left) => Array(10).fill(left)))
    expect((await askAll()).map((verdict) => verdict.allowed)).not.toContain(false)
    await store.close()
  })

  test('checks of different times each count by their own', async () => {
    const store = await open('caller', 5000)
    const takes = takesFor('contact-erasure', 'times')
    const at = (nowMs: number) => store.take(takes, nowMs)
    const verdicts = await Promise.all([at(START_MS), at(START_MS + 1000), at(START_MS + 3000)])
    expect(verdicts.map((verdict) => verdict.resetSeconds)).toEqual([3, 5, 6])
    await store.close()
  })

  test("a bucket refills by the server's clock", async () => {
    const store = await open('server', 5000)
    // Large enough for its key to outlive the first token: a key that is gone would look like a full bucket.
    const takes = [{ key: '{three}', burst: 3, refill: 1, perSeconds: 1 }]
    const startedMs = performance.now()
    for (const remaining of [2, 1, 0])
      expect(await store.take(takes, 0)).toMatchObject({ allowed: true, remaining })
    expect(await store.take(takes, 0)).toMatchObject({ allowed: false, retryAfterSeconds: 1 })
    const back = await until(async () => {
      const verdict = await store.take(takes, 0)
      return verdict.allowed && verdict
    }, 'a token is back')
    expect(back.remaining).toBeLessThan(2)
    expect(performance.now() - startedMs).toBeGreaterThan(990)
    await store.close()
  })

  test('a key lives until its bucket is full, also after the clock was set back', async () => {
    const store = await open('caller', 5000)
    const redis = new Redis(server.url)
    const lifeOf = async (owner: string): Promise<number> => {
      const [key, ...others] = await redis.keys(`parley:rate:*${owner}*`)
      expect(others).toEqual([])
      return redis.pttl(key as string)
    }
    const few = takesFor('lead-capture', 'short-lived')
    for (const tokens of [1, 2, 3]) {
      await store.take(few, START_MS)
      expect(await lifeOf('short-lived')).toBeGreaterThan(tokens * 2000 - 2000)
      expect(await lifeOf('short-lived')).toBeLessThanOrEqual(tokens * 2000)
    }
    const all = takesFor('lead-capture', 'set-back')
    for (let i = 0; i < 31; i++) await store.take(all, START_MS)
    expect(await store.take(all, START_MS - 86_400_000)).toMatchObject({ allowed: false })
    expect(await lifeOf('set-back')).toBeGreaterThan(50_000)
    expect(await lifeOf('set-back')).toBeLessThanOrEqual(60_000)
    redis.disconnect()
    await store.close()
  })

  test('a store that is gone fails at once, and works again when it is back', async () => {
    const store = await open('server')
    const takes = takesFor('send', 'outage-workspace')
    expect(await store.take(takes, 0)).toMatchObject({ allowed: true })
    await server.kill()
    const startedMs = performance.now()
    await expect(store.take(takes, 0)).rejects.toBeInstanceOf(LimiterUnavailable)
    await expect(store.take(takes, 0)).rejects.toBeInstanceOf(LimiterUnavailable)
    expect(performance.now() - startedMs).toBeLessThan(5000)
    await server.start()
    await store.connected()
    expect(await store.take(takes, 0)).toMatchObject({ allowed: true, remaining: 199 })
    await store.close()
  })

  test('a store that hangs is given up within the time-out, and works again when it wakes', async () => {
    const store = await open('server')
    const takes = takesFor('send', 'hanging-workspace')
    expect(await store.take(takes, 0)).toMatchObject({ allowed: true })
    server.pause()
    const atOnce = [takes, takes, takesFor('send', 'hanging-neighbour')]
    const reasons = await Promise.all(atOnce.map((one) => whyNot(store.take(one, 0))))
    expect(new Set(reasons)).toEqual(new Set(['Command timed out']))
    await until(
      async () => (await whyNot(store.take(takes, 0))) === GIVEN_UP,
      'the connection is given up, and checks fail at once',
    )
    server.resume()
    await expect.poll(() => store.take(takes, 0).catch(() => undefined)).toMatchObject({ allowed: true })
    await store.close()
  })

  test('a store that was never there fails at once, and is heard of', async () => {
    const faults: Error[] = []
    const store = createRedisStore('redis://127.0.0.1:1', { onError: (fault) => faults.push(fault) })
    expect(await whyNot(store.take(takesFor('send', 'w'), 0))).toBe(GIVEN_UP)
    await until(() => faults.length > 0, 'the fault is reported')
    await store.close()
  })

  test('a closed store takes nothing more', async () => {
    const store = await open('server', 5000)
    await store.connected()
    await store.close()
    expect(await whyNot(store.take(takesFor('send', 'closed-workspace'), 0))).toBe(GIVEN_UP)
  })
})
