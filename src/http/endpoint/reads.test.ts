/** Database limits of requests that only read. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../../../test/support/boot.ts'
import { openAdmin } from '../../../test/support/load.ts'
import { rawConnection } from '../../../test/support/raw-http.ts'
import { until } from '../../../test/support/until.ts'

const READ_MS = 1_500

let parley: TestParley
let shop: TestWorkspace
let admin: ReturnType<typeof openAdmin>
beforeAll(async () => {
  parley = await boot({ databaseLimits: { readMs: READ_MS }, env: { PARLEY_ROLES: 'web' } })
  shop = await parley.workspace()
  admin = openAdmin(parley.databaseUrl)
})
afterAll(async () => {
  await admin.close()
  await parley.close()
})

/** Runs `work` while every statement on contacts waits. */
const whileBusy = <T>(work: () => Promise<T>): Promise<T> =>
  admin.system(async (tx) => {
    await tx.sql('lock table contacts in access exclusive mode')
    return work()
  })

const waiting = async () =>
  (
    await admin.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and application_name = 'parley tenant' and wait_event_type = 'Lock'`,
    )
  )[0]!.count

test('a list that takes too long is canceled, and the error explains the next step', async () => {
  const startedMs = performance.now()
  const answer = await whileBusy(() => shop.get('/contacts'))
  expect(performance.now() - startedMs).toBeGreaterThanOrEqual(READ_MS)
  expect(answer).toMatchObject({ status: 503, body: { error: 'service_unavailable' } })
  expect(answer.body.message).toContain('Add a filter')
  expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1)
  expect((await shop.get('/contacts')).status).toBe(200)
})

test('the limit does not apply to a write or to the count of a segment', async () => {
  const { id } = (await shop.post('/segments', { name: 'Everybody', segment: {} })).body.segment
  const { asked } = await whileBusy(async () => {
    const answers = [shop.post('/contacts', { phone: '+919812345678' }), shop.get(`/segments/${id}`)]
    await until(async () => (await waiting()) === 2, 'both reads wait')
    expect((await shop.get('/contacts')).status, 'a list beside them').toBe(503)
    return { asked: answers }
  })
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([201, 200])
})

test('queries of callers who disconnect are canceled, and waiting callers are served', async () => {
  // Long enough that no request here reaches it.
  const patient = await boot({
    databaseUrl: parley.databaseUrl,
    databaseLimits: { readMs: 40_000 },
    env: { PARLEY_ROLES: 'web' },
  })
  onTestFinished(() => patient.close())
  await whileBusy(async () => {
    const callers = await Promise.all(Array.from({ length: 40 }, () => rawConnection(patient.url)))
    for (const { socket } of callers)
      socket.write(
        `GET /api/v1/contacts HTTP/1.1\r\nHost: parley\r\nAuthorization: Bearer ${shop.key}\r\n\r\n`,
      )
    await until(async () => (await waiting()) === 12, 'every connection waits')
    for (const { socket } of callers) socket.destroy()
    await until(async () => (await waiting()) === 0, 'no statement is running', 10_000)
    const answer = await fetch(`${patient.url}/api/v1/me`, {
      headers: { authorization: `Bearer ${shop.key}` },
    })
    expect(answer.status).toBe(200)
    const templates = await fetch(`${patient.url}/api/v1/quick-replies`, {
      headers: { authorization: `Bearer ${shop.key}` },
    })
    expect(templates.status, 'a connection is free').toBe(200)
  })
})
