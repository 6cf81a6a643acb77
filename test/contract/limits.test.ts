/** Rate limits (spec 8.1, 7.1) of every endpoint of the catalog. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { BUCKETS, type BucketName } from '../../src/core/buckets.ts'
import type { Endpoint } from '../../src/core/endpoint.ts'
import { type Answered, boot, type Client, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { campaignsOf } from '../support/campaigns.ts'
import { rowCountsOf } from '../support/records.ts'
import { findRedisBinary, startRedis } from '../support/redis-server.ts'
import { standingClock } from '../support/standing-clock.ts'
import { until } from '../support/until.ts'
import { arranging } from './arrange.ts'
import { conform } from './conform.ts'
import { ask, KEYED, named, probe } from './requests.ts'

const ARRANGING = await arranging()

const LIMITED = KEYED.filter((value) => value.bucket !== null)
const bucketOf = (value: Endpoint) => BUCKETS[value.bucket as BucketName]
const used = [...new Set(LIMITED.map((value) => value.bucket as BucketName))]
const firstEndpointOf = (bucket: BucketName): Endpoint =>
  LIMITED.find((value) => value.bucket === bucket) as Endpoint

const rateOf = ({ headers }: Answered) => ({
  limit: Number(headers['ratelimit-limit']),
  remaining: Number(headers['ratelimit-remaining']),
  reset: Number(headers['ratelimit-reset']),
})
const hit = (client: Client, value: Endpoint) => ask(client, value, probe(value))

describe('with the limiter of one process', () => {
  let parley: TestParley
  beforeAll(async () => {
    parley = await boot(ARRANGING)
  })
  afterAll(() => parley.close())
  const newShop = (): Promise<TestWorkspace> => parley.workspace({ sandbox: true })

  test.each(named(LIMITED))(
    '%s shows the size of its bucket, the remaining requests, and when it is full',
    async (_, value) => {
      const { burst, refill, perSeconds } = bucketOf(value)
      const answer = await hit(await newShop(), value)
      expect(rateOf(answer)).toEqual({
        limit: burst,
        remaining: burst - 1,
        reset: Math.ceil(perSeconds / refill),
      })
    },
  )

  test.each(named(LIMITED))('%s: with several keys each has half of the bucket', async (_, value) => {
    const { burst, refill, perSeconds } = bucketOf(value)
    const shop = await newShop()
    const colleague = await shop.as('admin')
    const half = Math.floor(burst / 2)
    for (const client of [shop, colleague])
      expect(rateOf(await hit(client, value))).toEqual({
        limit: half,
        remaining: half - 1,
        reset: Math.ceil((2 * perSeconds) / refill),
      })
  })

  test('authorization and validation errors carry the headers, a 401 does not', async () => {
    const shop = await newShop()
    const viewer = await shop.as('viewer')
    const forbidden = await viewer.post('/contacts', {})
    const invalid = await shop.post('/contacts', {})
    const missing = await shop.get('/contacts/+919800000000')
    const large = await shop.post('/contacts', `"${'x'.repeat(70_000)}"`)
    const typed = await shop.post('/contacts', 'Hello', { headers: { 'content-type': 'text/plain' } })
    const unkeyed = await shop.post('/contacts', {}, { idempotencyKey: '' })
    const refusals = [forbidden, invalid, missing, large, typed, unkeyed]
    expect(refusals.map((answer) => answer.status)).toEqual([403, 400, 404, 413, 415, 400])
    for (const answer of refusals) expect(rateOf(answer).limit).toBeGreaterThan(0)
    const outsider = await parley.anonymous.post('/contacts', {})
    expect([outsider.status, outsider.headers['ratelimit-limit']]).toEqual([401, undefined])
  })

  test.each(used)('bucket %s allows its burst and then answers 429 with Retry-After', async (bucket) => {
    const { burst, refill, perSeconds } = BUCKETS[bucket]
    const value = firstEndpointOf(bucket)
    const shop = await newShop()
    const started = performance.now()
    const answers: Answered[] = []
    const { path, body } = probe(value)
    const send = () => shop.call(value.method, path, body)
    // Concurrent uploads have their own limit: its 429 shows no bucket, but took a token from the bucket.
    const isTurnedAway = (answer: Answered) => answer.body.error === 'rate_limited'
    while (!answers.some(isTurnedAway)) answers.push(...(await Promise.all(Array.from({ length: 50 }, send))))
    const seconds = (performance.now() - started) / 1000
    const admitted = answers.filter((answer) => !isTurnedAway(answer)).length
    expect(admitted).toBeGreaterThanOrEqual(burst)
    expect(admitted).toBeLessThanOrEqual(burst + Math.ceil((seconds * refill) / perSeconds))
    const turnedAway = answers.find(isTurnedAway) as Answered
    conform(value, turnedAway)
    expect(turnedAway.body.error).toBe('rate_limited')
    expect(Number(turnedAway.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    expect(Number(turnedAway.headers['retry-after'])).toBeLessThanOrEqual(Math.ceil(perSeconds / refill))
    expect(rateOf(turnedAway)).toMatchObject({ limit: burst, remaining: 0 })
  })

  test('workspaces do not share a bucket', async () => {
    const [first, second] = [await newShop(), await newShop()]
    const value = firstEndpointOf('reads')
    for (let i = 0; i < 5; i++) await hit(first, value)
    expect(rateOf(await hit(second, value)).remaining).toBe(BUCKETS.reads.burst - 1)
  })
})

describe('requests that match no endpoint', () => {
  let parley: TestParley
  let shop: TestWorkspace
  beforeAll(async () => {
    // Buckets do not refill meanwhile, however slow the machine.
    parley = await boot({ clock: { ...standingClock(), monotonicMs: () => 0 } })
  })
  afterAll(() => parley.close())
  beforeEach(async () => {
    shop = await parley.workspace({ sandbox: true })
  })
  const { reads, keyless } = BUCKETS

  const UNROUTED: [what: string, status: number, method: string, path: string][] = [
    ['an unknown path', 404, 'GET', '/nothing'],
    ['an unknown path to write to', 404, 'POST', '/nothing'],
    ['another method', 405, 'PUT', '/contacts'],
    ['HEAD', 405, 'HEAD', '/send'],
    ['OPTIONS', 405, 'OPTIONS', '/contacts'],
    ['a path that is no UTF-8', 400, 'GET', '/contacts/%ff'],
    ['a path with NUL', 400, 'GET', '/contacts/%00'],
    ['an unknown path with NUL', 400, 'GET', '/nothing/%00'],
  ]

  test.each(UNROUTED)('%s (%i) takes one of the reads of its key', async (_, status, method, path) => {
    expect(rateOf(await shop.get('/contacts')).remaining).toBe(reads.burst - 1)
    const answer = await shop.call(method, path)
    expect(answer.status).toBe(status)
    expect(rateOf(answer)).toMatchObject({ limit: reads.burst, remaining: reads.burst - 2 })
    const colleague = await shop.as('viewer')
    expect(rateOf(await colleague.call(method, path)).limit, 'one of several keys').toBe(reads.burst / 2)
  })

  test.each(UNROUTED)(
    '%s (%i) without a key, or with a wrong key, takes one of the sending address',
    async (_, status, method, path) => {
      for (const key of ['', 'pk_live_wrong']) {
        const answer = await parley.anonymous.call(method, path, undefined, { key })
        expect(answer.status).toBe(status)
        expect(rateOf(answer).limit).toBe(keyless.burst)
      }
    },
  )

  test('with an unread body they show the bucket too', async () => {
    const answer = await shop.post('/nothing', 'x', { headers: { 'content-type': 'text/plain' } })
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(rateOf(answer)).toMatchObject({ limit: reads.burst, remaining: reads.burst - 1 })
  })

  test('they do not bypass an empty bucket', async () => {
    for (let sentCount = 0; sentCount < reads.burst; sentCount += 50) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => shop.get('/nothing')))
      expect(answers.filter(({ status }) => status !== 404)).toEqual([])
    }
    for (const path of ['/nothing', '/contacts', '/contacts/%ff', '/contacts/%00']) {
      const answer = await shop.get(path)
      expect(answer).toMatchObject({ status: 429, body: { error: 'rate_limited' } })
      expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1)
      expect(rateOf(answer)).toMatchObject({ limit: reads.burst, remaining: 0 })
    }
  })
})

const binary = findRedisBinary()
if (binary === undefined)
  console.warn('SKIPPED: no redis-server on this machine, so an unreachable limiter is NOT tested.')

describe.skipIf(binary === undefined)('while the shared limiter is unreachable (spec 7.1)', () => {
  let redis: Awaited<ReturnType<typeof startRedis>>
  let parley: TestParley
  let shop: TestWorkspace
  beforeAll(async () => {
    redis = await startRedis(binary as string)
    parley = await boot({ ...ARRANGING, env: { ...ARRANGING.env, REDIS_URL: redis.url } })
    shop = await parley.workspace({ sandbox: true })
    const before = await shop.get('/me')
    expect(rateOf(before)).toMatchObject({ limit: 600, remaining: 599 })
    await redis.kill()
    await until(
      async () => (await shop.get('/me')).headers['ratelimit-limit'] === undefined,
      'the service notices that the limiter is gone',
    )
  })
  afterAll(async () => {
    await parley.close()
    await redis.kill()
  })

  test.each(named(LIMITED.filter((value) => !value.critical)))(
    '%s works, without headers',
    async (_, value) => {
      const answer = await hit(shop, value)
      expect(answer.status).toBeLessThan(500)
      expect(answer.headers['ratelimit-limit']).toBeUndefined()
      expect(answer.headers['ratelimit-remaining']).toBeUndefined()
    },
  )

  test.each(named(LIMITED.filter((value) => value.critical)))('%s is paused', async (_, value) => {
    const answer = await hit(shop, value)
    expect(answer).toMatchObject({ status: 503, body: { error: 'rate_limiter_unavailable' } })
    expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    expect(answer.headers['ratelimit-limit']).toBeUndefined()
  })

  test('a call without permission gets its usual error before it is paused', async () => {
    const viewer = await (await parley.workspace({ sandbox: true })).as('viewer')
    for (const value of LIMITED.filter((endpoint) => endpoint.role === 'admin')) {
      const answer = await hit(viewer, value)
      expect(answer).toMatchObject({ status: 403, body: { error: 'forbidden' } })
      expect(answer.headers['ratelimit-limit']).toBeUndefined()
    }
  })

  test('the lead-capture link works, without headers', async () => {
    await shop.set({ leadCapture: true })
    const answer = await parley.anonymous.post(`/api/leads/capture/${shop.captureToken}`, {
      name: 'Asha',
      phone: '+919812345677',
    })
    expect(answer).toMatchObject({ status: 200, body: { ok: true } })
    expect(answer.headers['ratelimit-limit']).toBeUndefined()
  })

  test('a paused campaign leaves no rows', async () => {
    const campaigns = await campaignsOf(parley, shop)
    expect((await shop.post('/contacts', { phone: '+919812345678', optInStatus: 'opted_in' })).status).toBe(
      201,
    )
    const before = await rowCountsOf(parley, shop.workspaceId)
    expect(await campaigns.create({ sendNow: true })).toMatchObject({
      status: 503,
      body: { error: 'rate_limiter_unavailable' },
    })
    expect(await rowCountsOf(parley, shop.workspaceId)).toEqual(before)
    expect((await shop.get('/broadcasts?status=running')).body.broadcasts).toEqual([])
  })

  test('everything works as before once the limiter is back', async () => {
    await redis.start()
    await expect.poll(async () => (await shop.get('/me')).headers['ratelimit-limit']).toBe('600')
  })

  test("calls that pause without the limiter never use this process's memory of a bucket", async () => {
    const value = LIMITED.find((endpoint) => endpoint.critical && bucketOf(endpoint).burst >= 40) as Endpoint
    expect(rateOf(await hit(shop, value)).limit).toBe(bucketOf(value).burst)
    redis.pause()
    const answer = await hit(shop, value)
    redis.resume()
    expect(answer).toMatchObject({ status: 503, body: { error: 'rate_limiter_unavailable' } })
  })
})
