/** The limits of routes without a key or signature (docs/decisions/rate-limits.md). */
import Fastify from 'fastify'
import { request } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { boot, type TestParley } from '../../../test/support/boot.ts'
import { until } from '../../../test/support/until.ts'
import { BUCKETS } from '../../core/buckets.ts'
import { systemClock } from '../../core/clock.ts'
import { healthRoutes } from '../server/health.ts'
import { createMetrics } from '../server/metrics.ts'

let parley: TestParley
beforeAll(async () => {
  parley = await boot({ env: { PARLEY_TRUST_PROXY: '127.0.0.0/8', PARLEY_ROLES: 'web' } })
})
afterAll(() => parley.close())

/** Requests routes outside the API by their full address. */
async function fetchPath(path: string, from: string) {
  const answer = await request(parley.url + path, { headers: { 'x-forwarded-for': from } })
  const text = await answer.body.text()
  return { status: answer.statusCode, headers: answer.headers, text }
}
const LIMITED = ['/docs', '/docs/llms.txt', '/api/v1/openapi.json', '/metrics', '/media/token/photo.jpg']
/** One IPv6 network counts as one sender. */
const flood = () => `2001:db8:7:7::${Math.floor(Math.random() * 60_000).toString(16)}`

test('keyless routes share a bucket per client address; liveness is always answered', async () => {
  const { burst, refill } = BUCKETS.keyless
  const startedMs = performance.now()
  const statuses: number[] = []
  while (!statuses.includes(429))
    statuses.push(
      ...(await Promise.all(
        Array.from({ length: 100 }, async () => (await fetchPath('/docs/code.css', flood())).status),
      )),
    )
  const allowed = statuses.filter((status) => status === 200).length
  expect(allowed).toBeGreaterThanOrEqual(burst)
  expect(allowed).toBeLessThanOrEqual(burst + Math.ceil(((performance.now() - startedMs) / 1000) * refill))
  for (const path of LIMITED) {
    // The bucket refills all the time.
    const refused = await until(async () => {
      // Cheap requests empty the bucket faster than it refills, even on a slow machine.
      const emptied = Array.from({ length: 100 }, () => fetchPath('/docs/code.css', flood()))
      const answers = await Promise.all(Array.from({ length: 10 }, () => fetchPath(path, flood())))
      await Promise.all(emptied)
      return answers.find((answer) => answer.status === 429)
    }, `${path} is limited`)
    expect(refused.text, path).toContain('"rate_limited"')
    expect(Number(refused.headers['retry-after']), path).toBeGreaterThanOrEqual(1)
    expect((await fetchPath(path, '2001:db8:8::1')).status, `${path} from elsewhere`).toBeOneOf([200, 403])
  }
  expect((await fetchPath('/healthz', flood())).status).toBe(200)
  expect((await fetchPath('/readyz', flood())).status).toBe(200)
})

test('concurrent requests share one readiness check, which runs again a second later', async () => {
  let nowMs = 0
  let looks = 0
  const app = Fastify()
  healthRoutes({
    checks: {
      database: async () => {
        looks++
        if (looks === 2) throw new Error('away')
      },
    },
    metrics: createMetrics(),
    clock: { ...systemClock, monotonicMs: () => nowMs },
    limited: async () => {},
  })(app)
  const statuses = async () =>
    (await Promise.all(Array.from({ length: 20 }, () => app.inject('/readyz')))).map(
      (response) => response.statusCode,
    )
  expect(await statuses()).toEqual(Array(20).fill(200))
  nowMs = 999
  expect([await statuses(), looks]).toEqual([Array(20).fill(200), 1])
  nowMs = 1_000
  expect([await statuses(), looks]).toEqual([Array(20).fill(503), 2])
  nowMs = 2_000
  expect([await statuses(), looks]).toEqual([Array(20).fill(200), 3])
  await app.close()
})
