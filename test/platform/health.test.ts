import { networkInterfaces } from 'node:os'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { boot, type TestParley } from '../support/boot.ts'
import { until } from '../support/until.ts'

let parley: TestParley
beforeAll(async () => {
  parley = await boot()
  await until(async () => (await fetchPath('/readyz')).status === 200, 'the service is ready')
})
afterAll(() => parley.close())

/** Health endpoints are outside of the API, without a key. */
const fetchPath = (path: string) => fetch(parley.url + path)

test('monitors may use HEAD', async () => {
  for (const path of ['/healthz', '/livez', '/readyz', '/docs', '/metrics']) {
    const { status } = await fetch(parley.url + path, { method: 'HEAD' })
    expect([path, status]).toEqual([path, 200])
  }
})

test.each(['/healthz', '/livez'])('%s returns 200 with JSON when the process lives', async (path) => {
  const answer = await fetchPath(path)
  expect([answer.status, await answer.json()]).toEqual([200, { ok: true }])
})

test('/readyz returns 200 when database, migrations, and worker are ready', async () => {
  const answer = await fetchPath('/readyz')
  expect(answer.status).toBe(200)
  expect(await answer.json()).toEqual({ ready: true, missing: [] })
})

test('/readyz returns 503 with the parts that are not ready', async () => {
  await parley.system((tx) =>
    tx.sql("update schema_migrations set name = name || '-undone' where name like '0003%'"),
  )
  // A result of the last second is not checked again.
  const answer = await until(async () => {
    const response = await fetchPath('/readyz')
    return response.status !== 200 && response
  }, 'the loss is noticed')
  await parley.system((tx) => tx.sql("update schema_migrations set name = replace(name, '-undone', '')"))
  expect(answer.status).toBe(503)
  expect(await answer.json()).toMatchObject({
    ready: false,
    missing: [{ name: 'migrations', reason: expect.stringContaining('0003_webhooks.sql') }],
  })
  await until(async () => (await fetchPath('/readyz')).status === 200, 'the service is ready again')
})

test('/metrics is Prometheus text that counts requests by route, never by address', async () => {
  const shop = await parley.workspace()
  await shop.get('/contacts/+919812345678')
  const answer = await fetchPath('/metrics')
  expect(answer.headers.get('content-type')).toContain('text/plain')
  const text = await answer.text()
  expect(text).toContain('route="/api/v1/contacts/:id",status="404",error="not_found"')
  expect(text).not.toContain('919812345678')
})

test('/metrics has the batches of an endpoint that collects requests', async () => {
  const shop = await parley.workspace()
  const figures = async () => {
    const text = await (await fetchPath('/metrics')).text()
    return ['requests_sum', 'requests_count', 'wait_seconds_total', 'seconds_total'].map((name) =>
      Number(
        new RegExp(`^parley_batch_${name}{method="POST",route="/api/v1/contacts"} (\\S+)$`, 'm').exec(
          text,
        )?.[1] ?? 0,
      ),
    ) as [number, number, number, number]
  }
  const before = await figures()
  const answers = await Promise.all(
    ['+919812300001', '+919812300002', '+919812300003'].map((phone) => shop.post('/contacts', { phone })),
  )
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
  const [requests, batches, waited, tookSeconds] = (await figures()).map((figure, i) => figure - before[i]!)
  expect(requests).toBe(3)
  expect(batches).toBeGreaterThanOrEqual(1)
  expect(batches).toBeLessThanOrEqual(3)
  expect(waited).toBeGreaterThan(0)
  expect(tookSeconds).toBeGreaterThan(0)
})

test('a process with only background work serves its health on its PORT, and nothing else', async () => {
  const worker = await boot({ databaseUrl: parley.databaseUrl, env: { PARLEY_ROLES: 'worker' } })
  try {
    for (const path of ['/healthz', '/readyz', '/metrics'])
      expect((await fetch(worker.url + path)).status, path).toBe(200)
    for (const path of ['/api/v1/contacts', '/docs', '/api/v1/openapi.json'])
      expect((await fetch(worker.url + path)).status, path).toBe(404)
  } finally {
    await worker.close()
  }
})

const hasIPv6 = Object.values(networkInterfaces()).some((list) =>
  list?.some(({ address }) => address === '::1'),
)

test.runIf(hasIPv6)('if a process listens on IPv6, its printed address can be opened', async () => {
  const env = { PARLEY_ROLES: 'worker', HOST: '::1' }
  const worker = await boot({ databaseUrl: parley.databaseUrl, env })
  try {
    expect(worker.url).toMatch(/^http:\/\/\[::1\]:\d+$/)
    expect((await fetch(`${worker.url}/readyz`)).status).toBe(200)
  } finally {
    await worker.close()
  }
})
