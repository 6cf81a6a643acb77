import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { describeRateLimitStore } from '../../../test/support/rate-limit-suite.ts'
import { findRedisBinary, freePort, startRedis } from '../../../test/support/redis-server.ts'
import { until } from '../../../test/support/until.ts'
import { leewayOf } from './known-buckets.ts'
import { createMemoryStore } from './memory-store.ts'
import { LimiterUnavailable, type Take, type Verdict } from './port.ts'
import { createRedisStore } from './redis-store.ts'
import { halfTaken, takesFor } from './takes.ts'

const START_MS = 1_790_000_000_000

/** The cause of a check that failed immediately: it wasn't even sent. */
const GIVEN_UP = "Stream isn't writeable and enableOfflineQueue options is false"
/** Returns the cause of a failed check. */
const failureOf = (verdict: Verdict | Promise<Verdict>): Promise<string> =>
  Promise.resolve(verdict).then(
    () => 'it was taken',
    (error) => {
      expect(error).toBeInstanceOf(LimiterUnavailable)
      return error.cause.message
    },
  )

/** Returns the verdicts of checks, some of which were answered without Redis. */
const verdictsOf = (verdicts: (Verdict | Promise<Verdict>)[]): Promise<Verdict[]> =>
  Promise.all(verdicts.map((verdict) => Promise.resolve(verdict)))

/** Returns the verdict of a check that was answered without Redis. */
function localVerdict(verdict: Verdict | Promise<Verdict>): Verdict {
  expect(verdict).not.toBeInstanceOf(Promise)
  return verdict as Verdict
}

/** Returns a bucket whose key outlives a test: it refills one token a minute. */
const slowBucket = (key: string, burst = 200): Take[] => [
  { key: `{${key}}`, burst, refill: 1, perSeconds: 60 },
]

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

  /** Returns how often Redis was called. */
  async function countCalls(redis: Redis): Promise<number> {
    return Number(/cmdstat_evalsha:calls=(\d+)/.exec(await redis.info('commandstats'))?.[1])
  }

  test('two processes together admit at most burst + refill x time, and 5 % of the burst', async () => {
    const [first, second] = await Promise.all([open('server', 5000), open('server', 5000)])
    const takes = takesFor('send', 'shared-workspace')
    const startedMs = performance.now()
    let admitted = 0
    const hammer = async (store: typeof first) => {
      for (let round = 0; round < 40; round++) {
        const verdicts = await verdictsOf(Array.from({ length: 10 }, () => store.take(takes, 0)))
        admitted += verdicts.filter((verdict) => verdict.allowed).length
      }
    }
    await Promise.all([hammer(first), hammer(second)])
    const elapsedSeconds = (performance.now() - startedMs) / 1000
    await Promise.all([first.close(), second.close()])
    expect(admitted).toBeGreaterThanOrEqual(200)
    expect(admitted).toBeLessThanOrEqual(200 + Math.ceil(50 * elapsedSeconds) + 1 + 2 * leewayOf(200))
  })

  test('concurrent checks go to Redis in few calls', async () => {
    const store = await open('server', 5000)
    const redis = new Redis(server.url)
    const takeForWorkspace = (i: number) => store.take(takesFor('send', `crowd-${i % 100}`), 0)
    await takeForWorkspace(0)
    const before = await countCalls(redis)
    const verdicts = await verdictsOf(Array.from({ length: 300 }, (_, i) => takeForWorkspace(i)))
    expect(verdicts.every((verdict) => verdict.allowed)).toBe(true)
    expect((await countCalls(redis)) - before).toBe(2)
    redis.disconnect()
    await store.close()
  })

  test('a sharded server gets a separate call for each workspace', async () => {
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
    await until(
      async () => /cluster_state:ok/.test(String(await redis.call('CLUSTER', 'INFO'))),
      'the store works',
    )
    const store = createRedisStore(sharded.url, { timeoutMs: 5000 })
    await store.connected()
    // Each bucket is asked for separately, and so remembered; the tokens of both are reported in one call.
    const bucketTakes = [slowBucket('sharded-one'), slowBucket('sharded-other')]
    for (const takes of bucketTakes)
      expect(await store.take(takes, performance.now())).toMatchObject({ remaining: 199 })
    for (const takes of bucketTakes)
      expect(localVerdict(store.take(takes, performance.now())).remaining).toBe(198)
    await until(async () => {
      const debts = await Promise.all(bucketTakes.map(([take]) => redis.get(`parley:rate:${take!.key}:1`)))
      return debts.every((fullAt) => Number(fullAt) - Date.now() > 90_000)
    }, 'both are charged')
    for (const takes of bucketTakes)
      expect(await store.take(takes, performance.now()), 'nothing is remembered').toMatchObject({
        remaining: 197,
      })
    const askAll = (): Promise<Verdict[]> =>
      verdictsOf(
        Array.from({ length: 40 }, (_, i) =>
          store.take(takesFor('contact-erasure', `sharded-${i % 10}`, 'a-key'), 0),
        ),
      )
    const remaining = (await askAll()).map((verdict) => verdict.remaining)
    expect(remaining).toEqual([9, 8, 7, 6].flatMap((left) => Array(10).fill(left)))
    expect((await askAll()).map((verdict) => verdict.allowed)).not.toContain(false)
    await store.close()
  })

  test('checks with different times each use their own time', async () => {
    const store = await open('caller', 5000)
    const takes = takesFor('contact-erasure', 'times')
    const takeAt = (nowMs: number) => store.take(takes, nowMs)
    const verdicts = await Promise.all([takeAt(START_MS), takeAt(START_MS + 1000), takeAt(START_MS + 3000)])
    expect(verdicts.map((verdict) => verdict.resetSeconds)).toEqual([3, 5, 6])
    await store.close()
  })

  test('a bucket that recently had plenty of tokens is answered without Redis, and reported in few calls', async () => {
    const store = await open('caller', 5000)
    const redis = new Redis(server.url)
    const shops = Array.from({ length: 600 }, (_, i) => slowBucket(`busy-${i}`))
    for (const takes of shops) await store.take(takes, START_MS)
    const before = await countCalls(redis)
    for (const left of [198, 197])
      for (const takes of shops) expect(localVerdict(store.take(takes, START_MS)).remaining).toBe(left)
    await store.close()
    expect((await countCalls(redis)) - before, '256 buckets at most in each').toBe(3)
    const other = await open('caller', 5000)
    for (const takes of shops) expect(await other.take(takes, START_MS)).toMatchObject({ remaining: 196 })
    redis.disconnect()
    await other.close()
  })

  test('taken tokens are reported without waiting for a call or the shutdown', async () => {
    const [store, other] = await Promise.all([open('caller', 5000), open('caller', 5000)])
    const takes = slowBucket('reported')
    await store.take(takes, START_MS)
    expect(localVerdict(store.take(takes, START_MS)).remaining).toBe(198)
    const debtOf = async () => (await other.take(takes, START_MS, true)) as Verdict
    let requests = 0
    await until(async () => (await debtOf()).remaining === 198 - ++requests, 'the token is charged')
    await Promise.all([store.close(), other.close()])
  })

  test('a process remembers at most its unreported allowance, and nothing for longer than a second', async () => {
    const store = await open('caller', 5000)
    const takes = slowBucket('remembered')
    await store.take(takes, START_MS)
    for (let i = 0; i < leewayOf(200); i++) localVerdict(store.take(takes, START_MS + 1000))
    const pending = store.take(takes, START_MS + 1000)
    expect(pending).toBeInstanceOf(Promise)
    expect(store.take(takes, START_MS + 1000), 'nobody overtakes who asks').toBeInstanceOf(Promise)
    expect(await pending).toMatchObject({ remaining: 200 - leewayOf(200) - 2 })
    expect(store.take(takes, START_MS + 1000, true), 'exact').toBeInstanceOf(Promise)
    const later = store.take(takes, START_MS + 2001)
    expect(later, 'a second later').toBeInstanceOf(Promise)
    await later
    expect(store.take(takes, START_MS + 1000), 'a clock that was set back').toBeInstanceOf(Promise)
    await store.close()
  })

  test('a small bucket, and one less than half full, is never taken from without Redis', async () => {
    const store = await open('caller', 5000)
    const small = slowBucket('small', 39)
    for (let i = 0; i < 2; i++) {
      const pending = store.take(small, START_MS)
      expect(pending).toBeInstanceOf(Promise)
      await pending
    }
    const takes = slowBucket('half')
    for (let i = 0; i < 100; i++) await store.take(takes, START_MS, true)
    localVerdict(store.take(takes, START_MS))
    const pending = store.take(takes, START_MS)
    expect(pending).toBeInstanceOf(Promise)
    expect(await pending).toMatchObject({ remaining: 98 })
    await store.close()
  })

  test('a refusal is remembered until a token is available, by the clock of this process', async () => {
    const store = await open('caller', 5000)
    const redis = new Redis(server.url)
    const [slow] = slowBucket('refused', 40)
    const takes = [{ ...slow!, refill: 4 }]
    for (let i = 0; i < 40; i++) await store.take(takes, START_MS, true)
    expect(await store.take(takes, START_MS + 14_500)).toMatchObject({ allowed: false, retryAfterSeconds: 1 })
    const before = await countCalls(redis)
    for (const laterMs of [0, 1, 499])
      expect(localVerdict(store.take(takes, START_MS + 14_500 + laterMs))).toEqual({
        allowed: false,
        limit: 40,
        remaining: 0,
        resetSeconds: Math.ceil((600_000 - 14_500 - laterMs) / 1000),
        retryAfterSeconds: 1,
      })
    expect(await countCalls(redis)).toBe(before)
    expect(store.take(takes, START_MS + 14_999, true), 'exact').toBeInstanceOf(Promise)
    expect(await store.take(takes, START_MS + 15_000)).toMatchObject({ allowed: true, remaining: 0 })
    redis.disconnect()
    await store.close()
  })

  test('two processes together exceed the burst by at most 5 %, and pay it off', async () => {
    const [first, second, other] = await Promise.all([
      open('caller', 5000),
      open('caller', 5000),
      open('caller', 5000),
    ])
    const takes = slowBucket('overdrawn')
    let admitted = 0
    const take = async (store: typeof first) => {
      const verdict = await store.take(takes, START_MS)
      if (verdict.allowed) admitted++
      return verdict
    }
    for (const store of [first, second]) await take(store)
    while ((await take(other)).allowed);
    expect(admitted).toBe(200)
    for (const store of [first, second])
      for (let i = 0; i < leewayOf(200); i++) localVerdict(store.take(takes, START_MS))
    const over = 2 * leewayOf(200)
    await Promise.all([first.close(), second.close()])
    expect(await other.take(takes, START_MS, true)).toEqual({
      allowed: false,
      limit: 200,
      remaining: 0,
      resetSeconds: (200 + over) * 60,
      retryAfterSeconds: (over + 1) * 60,
    })
    const paidMs = START_MS + (over + 1) * 60_000
    expect(await other.take(takes, paidMs - 1)).toMatchObject({ allowed: false })
    expect(await other.take(takes, paidMs)).toMatchObject({ allowed: true, remaining: 0 })
    await other.close()
  })

  test('any history of two processes admits at most burst + refill x time, and 5 % of the burst', async () => {
    const [first, second] = await Promise.all([open('caller', 5000), open('caller', 5000)])
    let unreported = 0
    const step = fc.record({
      waitMs: fc.oneof(fc.constant(0), fc.nat(3000), fc.nat(120_000)),
      choices: fc.array(fc.boolean(), { minLength: 1, maxLength: 60 }),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 40, max: 120 }),
        fc.integer({ min: 1, max: 30 }),
        fc.array(step, { maxLength: 20 }),
        async (burst, refill, steps) => {
          const takes: Take[] = [{ key: `{${randomUUID()}}`, burst, refill, perSeconds: 60 }]
          let nowMs = START_MS
          let admitted = 0
          for (const { waitMs, choices } of steps) {
            nowMs += waitMs
            const verdicts = choices.map((isFirst) => (isFirst ? first : second).take(takes, nowMs))
            unreported += verdicts.filter(
              (verdict) => !(verdict instanceof Promise) && verdict.allowed,
            ).length
            admitted += (await verdictsOf(verdicts)).filter(({ allowed }) => allowed).length
            const earned = burst + ((nowMs - START_MS) * refill) / 60_000
            expect(admitted).toBeLessThanOrEqual(earned + 2 * leewayOf(burst))
          }
        },
      ),
      { numRuns: 100 },
    )
    expect(unreported).toBeGreaterThan(100)
    await Promise.all([first.close(), second.close()])
  })

  test('any history of one process has the verdicts of the memory store, with and without Redis', async () => {
    const [store, model] = [await open('caller', 5000), createMemoryStore()]
    const counts = { admitted: 0, refused: 0, asked: 0 }
    const request = fc.record({
      workspace: fc.constantFrom('one', 'another'),
      key: fc.constantFrom(undefined, 'a', 'b'),
      exact: fc.nat(9).map((n) => n === 0),
    })
    const step = fc.record({
      waitMs: fc.oneof(fc.constant(0), fc.nat(1500), fc.nat(60_000)),
      requests: fc.array(request, { minLength: 1, maxLength: 60, size: 'max' }),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 40, max: 130 }),
        fc.integer({ min: 1, max: 30 }),
        fc.array(step, { maxLength: 12, size: 'max' }),
        async (burst, refill, steps) => {
          const run = randomUUID()
          let nowMs = START_MS
          for (const { waitMs, requests } of steps) {
            nowMs += waitMs
            const checks = requests.map(({ workspace, key, exact }) => {
              const whole = { key: `{${run}-${workspace}}`, burst, refill, perSeconds: 60 }
              const takes =
                key === undefined ? [whole] : [whole, { ...halfTaken(whole), key: `${whole.key}:${key}` }]
              return { takes, exact }
            })
            const expected = checks.map(({ takes }) => model.take(takes, nowMs))
            const verdicts = checks.map(({ takes, exact }) => store.take(takes, nowMs, exact))
            for (const verdict of verdicts)
              counts[verdict instanceof Promise ? 'asked' : verdict.allowed ? 'admitted' : 'refused']++
            expect(await verdictsOf(verdicts)).toEqual(expected)
          }
        },
      ),
      { numRuns: 100 },
    )
    expect(Math.min(...Object.values(counts)), JSON.stringify(counts)).toBeGreaterThan(50)
    await store.close()
  })

  test('after the clock was set back an overdrawn bucket is paid off within a quarter of a refill', async () => {
    const store = await open('caller', 5000)
    const takes = slowBucket('overdrawn-then-earlier')
    for (let i = 0; i < 200; i++) await store.take(takes, START_MS, true)
    const verdict = await store.take(takes, START_MS - 86_400_000)
    expect(verdict.allowed).toBe(false)
    expect(verdict.retryAfterSeconds).toBeLessThanOrEqual((200 / 4 + 1) * 60)
    await store.close()
  })

  test("a bucket refills by the server's clock", async () => {
    const store = await open('server', 5000)
    // Large enough that its key outlives the first token: an expired key would look like a full bucket.
    const takes = [{ key: '{three}', burst: 3, refill: 1, perSeconds: 1 }]
    const startedMs = performance.now()
    for (const remaining of [2, 1, 0])
      expect(await store.take(takes, 0)).toMatchObject({ allowed: true, remaining })
    expect(await store.take(takes, 0)).toMatchObject({ allowed: false, retryAfterSeconds: 1 })
    const verdict = await until(async () => {
      const verdict = await store.take(takes, 0)
      return verdict.allowed && verdict
    }, 'a token is back')
    expect(verdict.remaining).toBeLessThan(2)
    expect(performance.now() - startedMs).toBeGreaterThan(990)
    await store.close()
  })

  test('a key expires when its bucket is full, also after the clock was set back', async () => {
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
    const takes = takesFor('lead-capture', 'set-back')
    for (let i = 0; i < 31; i++) await store.take(takes, START_MS)
    expect(await store.take(takes, START_MS - 86_400_000)).toMatchObject({ allowed: false })
    expect(await lifeOf('set-back')).toBeGreaterThan(50_000)
    expect(await lifeOf('set-back')).toBeLessThanOrEqual(60_000)
    redis.disconnect()
    await store.close()
  })

  test('checks fail immediately while the store is down, and work again when it is back', async () => {
    const faults: Error[] = []
    const store = createRedisStore(server.url, { time: 'caller', onAway: (fault) => faults.push(fault) })
    await store.connected()
    const [checked, remembered] = [takesFor('send', 'outage-workspace'), takesFor('send', 'outage-neighbor')]
    for (const takes of [checked, remembered])
      expect(await store.take(takes, START_MS)).toMatchObject({ allowed: true, remaining: 199 })
    await server.kill()
    await until(() => faults.length > 0, 'the connection is closed')
    const startedMs = performance.now()
    for (const takes of [remembered, checked])
      expect(await failureOf(store.take(takes, START_MS)), 'what was remembered is dropped').toBe(GIVEN_UP)
    expect(await failureOf(store.take(checked, START_MS, true))).toBe(GIVEN_UP)
    expect(performance.now() - startedMs).toBeLessThan(5000)
    await server.start()
    await store.connected()
    for (const takes of [checked, remembered])
      expect(await store.take(takes, START_MS)).toMatchObject({ allowed: true, remaining: 199 })
    await store.close()
  })

  test('checks of a hanging store fail within the time-out, and work again when it wakes', async () => {
    const store = await open('caller')
    const [checked, remembered] = [
      takesFor('send', 'hanging-workspace'),
      takesFor('send', 'hanging-neighbor'),
    ]
    for (const takes of [checked, remembered])
      expect(await store.take(takes, START_MS)).toMatchObject({ allowed: true })
    server.pause()
    const together = [checked, checked, takesFor('send', 'hanging-newcomer')]
    const reasons = await Promise.all(together.map((takes) => failureOf(store.take(takes, START_MS, true))))
    expect(new Set(reasons)).toEqual(new Set(['Command timed out']))
    expect(await failureOf(store.take(remembered, START_MS)), 'what was remembered is dropped').not.toBe(
      'it was taken',
    )
    await until(
      async () => (await failureOf(store.take(checked, START_MS))) === GIVEN_UP,
      'the connection is closed, and checks fail immediately',
    )
    server.resume()
    await expect
      .poll(async () => Promise.resolve(store.take(checked, START_MS)).catch(() => undefined))
      .toMatchObject({ allowed: true })
    await store.close()
  })

  test('an unreachable store fails immediately and reports the fault', async () => {
    const faults: Error[] = []
    const store = createRedisStore('redis://127.0.0.1:1', { onAway: (fault) => faults.push(fault) })
    expect(await failureOf(store.take(takesFor('send', 'w'), 0))).toBe(GIVEN_UP)
    await until(() => faults.length > 0, 'the fault is reported')
    await store.close()
  })

  test('a closed store accepts no checks', async () => {
    const store = await open('server', 5000)
    await store.connected()
    await store.close()
    expect(await failureOf(store.take(takesFor('send', 'closed-workspace'), 0))).toBe(GIVEN_UP)
  })
})
