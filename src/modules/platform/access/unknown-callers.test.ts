/**
 * Limits on unknown callers, and answers that reveal nothing: invented sessions, and resets of any address
 * (DECISIONS.md "Accounts and sessions").
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'
import { openMailServer } from '../../../../test/support/mail-server.ts'
import { type MovingClock, movingClock } from '../../../../test/support/moving-clock.ts'
import { browserOf, DASHBOARD, signIn } from '../../../../test/support/sessions.ts'
import { until } from '../../../../test/support/until.ts'
import { BUCKETS } from '../../../core/buckets.ts'
import { HOUR_MS } from '../../../core/clock.ts'

let clock: MovingClock
let mail: Awaited<ReturnType<typeof openMailServer>>
let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  clock = movingClock()
  mail = await openMailServer()
  parley = await boot({ clock, env: { ...mail.env, PARLEY_TRUST_PROXY: '127.0.0.1/32' } })
  shop = await parley.workspace({ sandbox: true })
})
afterAll(async () => {
  await parley?.close()
  mail?.close()
})

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
const askReset = (email: string, address: string) =>
  browserOf(parley, shop).post(`${DASHBOARD}/sign-in/reset`, { email }, from(address))
const tokens = async (): Promise<number> => {
  const [row] = await parley.system((tx) =>
    tx.sql<{ count: number }>(`select count(*)::int4 as count from sign_in_tokens where purpose = 'reset'`),
  )
  return row!.count
}

test('a reset writes the same rows for known and unknown emails, and mails only a known one', async () => {
  const session = (await (await signIn(parley, shop, 'agent', clock.now())).get(`${DASHBOARD}/session`)).body
  for (const email of [session.account.email, `${randomUUID()}@example.com`]) {
    const before = await tokens()
    expect(await askReset(email, '198.51.100.1')).toMatchObject({ status: 204, text: '' })
    expect(await tokens(), email).toBe(before + 1)
  }
  await until(async () => mail.mails.length > 0, 'the mail arrives')
  await until(async () => {
    const [row] = await parley.system((tx) =>
      tx.sql<{ count: number }>('select count(*)::int4 as count from account_mails'),
    )
    return row!.count === 0
  }, 'all mails are sent or dropped')
  expect(mail.mails.flatMap(({ to }) => to)).toEqual([session.account.email])
})

test('an address can request thirty resets an hour, for all emails together', async () => {
  const statuses = []
  for (let i = 0; i < 31; i++)
    statuses.push((await askReset(`${randomUUID()}@example.com`, '198.51.100.2')).status)
  expect(statuses).toEqual([...Array.from({ length: 30 }, () => 204), 429])
  const refused = await askReset(`${randomUUID()}@example.com`, '198.51.100.2')
  expect(refused.body.error).toBe('rate_limited')
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect((await askReset(`${randomUUID()}@example.com`, '198.51.100.3')).status).toBe(204)
  clock.aheadMs += HOUR_MS
  expect((await askReset(`${randomUUID()}@example.com`, '198.51.100.2')).status).toBe(204)
})

test('invented session cookies are rejected after 120 from an address; known sessions and sign-ins still work there', async () => {
  const real = await signIn(parley, shop, 'agent', clock.now())
  const address = '198.51.100.4'
  expect((await real.get('/me', from(address))).status).toBe(200)
  const name = real.cookie.split('=')[0]
  const inventedBrowser = () =>
    browserOf(parley, { ...shop, cookie: `${name}=${randomBytes(32).toString('base64url')}` })
  const seenStatuses = new Set<number>()
  for (let sent = 0; sent < BUCKETS['refused-callbacks'].burst * 5 && !seenStatuses.has(429); sent += 200) {
    const path = sent % 400 === 0 ? '/me' : `${DASHBOARD}/session`
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => inventedBrowser().get(path, from(address))),
    )
    for (const { status, headers } of answers) {
      seenStatuses.add(status)
      if (status === 401) expect(headers['ratelimit-limit']).toBeUndefined()
    }
  }
  expect([...seenStatuses].sort()).toEqual([401, 429])
  expect((await real.get('/me', from(address))).status).toBe(200)
  const body = { email: `${randomUUID()}@example.com`, password: 'wrong' }
  expect((await inventedBrowser().post(`${DASHBOARD}/sign-in`, body, from(address))).status).toBe(401)
  expect((await inventedBrowser().get('/me', from('198.51.100.5'))).status).toBe(401)
})
