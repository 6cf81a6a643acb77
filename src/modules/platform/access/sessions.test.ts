/** Lifetimes of sessions, and requests that other sites can't make (DECISIONS.md "Accounts and sessions"). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, clientOf, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'
import { type MovingClock, movingClock } from '../../../../test/support/moving-clock.ts'
import {
  type Browser,
  browserOf,
  DASHBOARD,
  signIn,
  signInByLink,
} from '../../../../test/support/sessions.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../core/clock.ts'
import { setMember } from '../workspaces/operations/workspace-members.ts'

const PASSWORD = 'three blue kettles at noon'

let clock: MovingClock
let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  clock = movingClock()
  parley = await boot({ clock })
  shop = await parley.workspace({ sandbox: true })
})
afterAll(() => parley?.close())

const member = (role: 'viewer' | 'agent' | 'admin' = 'agent', workspace = shop) =>
  signIn(parley, workspace, role, clock.now())
/** Returns a browser with the same session and the cookie it had at the time. */
const copyOf = ({ cookie, memberId }: Browser) => browserOf(parley, { ...shop, memberId, cookie })
const isOpen = async (browser: Browser) => (await browser.get('/me')).status === 200

describe('a session ends', () => {
  test('after 7 days without use, and not before', async () => {
    const browser = await member()
    clock.aheadMs += 7 * DAY_MS - HOUR_MS
    expect(await isOpen(browser)).toBe(true)
    clock.aheadMs += 7 * DAY_MS - HOUR_MS
    expect(await isOpen(browser)).toBe(true)
    clock.aheadMs += 7 * DAY_MS
    expect(await browser.get('/me')).toMatchObject({
      status: 401,
      body: { error: 'session_ended', message: "Your session has ended: you didn't use it for 7 days." },
    })
  })

  test('30 days after it started, even if used all the time', async () => {
    const browser = await member()
    for (let days = 0; days < 29; days++) {
      clock.aheadMs += DAY_MS
      expect(await isOpen(browser)).toBe(true)
    }
    clock.aheadMs += DAY_MS
    expect((await browser.get('/me')).body.message).toBe('Your session has ended: you signed in 30 days ago.')
  })

  test('sooner if one of its workspaces requires that, also for live sessions', async () => {
    const strict = await parley.workspace({ sandbox: true })
    const [admin, agent] = [await member('admin', strict), await member('agent', strict)]
    expect(await isOpen(agent)).toBe(true)
    expect((await admin.patch(`${DASHBOARD}/security`, { idleDays: 1, absoluteDays: 3 })).status).toBe(200)
    const { activity } = (await strict.get('/activity?kind=security.changed')).body
    expect(activity[0]).toMatchObject({
      actor: { id: admin.memberId },
      data: { idleDays: 1, absoluteDays: 3, requireSecondFactor: false },
    })
    await parley.caughtUp()
    clock.aheadMs += DAY_MS
    expect((await agent.get('/me')).body.message).toBe(
      "Your session has ended: you didn't use it for 1 days.",
    )
    const renewed = await signInByLink(parley, { ...strict, memberId: agent.memberId }, clock.now())
    for (let hours = 0; hours < 72; hours += 18) {
      expect(await isOpen(renewed)).toBe(true)
      clock.aheadMs += 18 * HOUR_MS
    }
    expect((await renewed.get('/me')).body.message).toBe('Your session has ended: you signed in 3 days ago.')
  })

  test('within a second when another session revokes it, and the log records it', async () => {
    const first = await member()
    const second = await signInByLink(parley, { ...shop, memberId: first.memberId }, clock.now())
    const { sessions } = (await first.get(`${DASHBOARD}/sessions`)).body
    expect(sessions).toHaveLength(2)
    const other = sessions.find(({ current }: { current: boolean }) => !current)
    expect(other).toMatchObject({ device: 'parley-tests', address: '127.0.0.1', method: 'link' })
    expect(await isOpen(second)).toBe(true)
    expect((await first.delete(`${DASHBOARD}/sessions/${other.id}`)).status).toBe(200)
    await parley.caughtUp()
    expect((await second.get('/me')).body.message).toContain('signed it out from another session')
    const { activity } = (await shop.get('/activity?kind=session.revoked')).body
    expect(activity[0].data).toMatchObject({ memberId: first.memberId, device: 'parley-tests' })
  })

  test('only by its own account', async () => {
    const [own, other] = [await member(), await member()]
    const [{ id }] = (await other.get(`${DASHBOARD}/sessions`)).body.sessions
    expect((await own.delete(`${DASHBOARD}/sessions/${id}`)).status).toBe(404)
    expect((await own.delete(`${DASHBOARD}/sessions/${randomUUID()}`)).status).toBe(404)
    expect((await own.delete(`${DASHBOARD}/sessions/nonsense`)).status).toBe(404)
    expect(await isOpen(other)).toBe(true)
  })

  test('when the password is changed in another session', async () => {
    const first = await member()
    const second = await signInByLink(parley, { ...shop, memberId: first.memberId }, clock.now())
    expect((await first.patch(`${DASHBOARD}/account`, { password: PASSWORD })).status).toBe(200)
    await parley.caughtUp()
    expect(await isOpen(first)).toBe(true)
    expect((await second.get('/me')).body.message).toContain('your password was changed')
  })
})

describe('a page that was loaded for another account', () => {
  const NUMBER = '+919812345699'
  test('sends its own account and is rejected in both areas, with nothing changed', async () => {
    const [before, now] = [await member(), await member()]
    const accountOf = async (browser: Browser) => (await browser.get(`${DASHBOARD}/session`)).body.account.id
    const headers = { 'parley-account': await accountOf(before) }
    const refused = { status: 409, body: { error: 'other_account' } }
    expect(await now.post('/contacts', { phone: NUMBER }, { headers })).toMatchObject(refused)
    expect(await now.get(`${DASHBOARD}/session`, { headers })).toMatchObject(refused)
    expect(await now.delete(`${DASHBOARD}/session`, { headers })).toMatchObject(refused)
    expect((await shop.get(`/contacts/${encodeURIComponent(NUMBER)}`)).status).toBe(404)
    expect(await isOpen(now)).toBe(true)
    const options = { headers: { 'parley-account': await accountOf(now) } }
    expect((await now.post('/contacts', { phone: NUMBER }, options)).status).toBe(201)
  })
})

describe('a token', () => {
  test('is replaced once a day; the previous one works for 60 more seconds', async () => {
    const browser = await member()
    const before = copyOf(browser)
    clock.aheadMs += DAY_MS
    expect(await isOpen(browser)).toBe(true)
    expect(browser.cookie).not.toBe(before.cookie)
    const cookie = before.cookie
    expect(await isOpen(before)).toBe(true)
    expect(before.cookie, 'the old one is not replaced again').toBe(cookie)
    clock.aheadMs += MINUTE_MS
    expect(await before.get('/me')).toMatchObject({ status: 401, body: { error: 'session_ended' } })
    expect(await isOpen(browser)).toBe(true)
  })

  test('is replaced once, also by concurrent requests', async () => {
    const browser = await member()
    const copies = Array.from({ length: 6 }, () => copyOf(browser))
    clock.aheadMs += DAY_MS
    const answers = await Promise.all(copies.map((copy) => copy.get('/me')))
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200))
    expect(new Set(copies.map(({ cookie }) => cookie)).size).toBe(2)
  })

  test('is replaced by a confirmation and by a change of the password', async () => {
    const browser = await member()
    const firstCookie = browser.cookie
    await browser.patch(`${DASHBOARD}/account`, { password: PASSWORD })
    const afterPassword = browser.cookie
    await browser.post(`${DASHBOARD}/session/confirm`, { password: PASSWORD })
    expect(new Set([firstCookie, afterPassword, browser.cookie]).size).toBe(3)
  })

  test('is not stored in the database, and an invented one opens nothing', async () => {
    const browser = await member()
    const [, token = ''] = browser.cookie.split('=')
    const rows = await parley.system((tx) =>
      tx.sql<{ found: number }>('select count(*)::int4 as found from sessions s where s::text like $1', [
        `%${token}%`,
      ]),
    )
    expect(rows).toEqual([{ found: 0 }])
    const forged = browserOf(parley, { ...shop, cookie: browser.cookie.replace(/.{5}$/, 'AAAAA') })
    expect(await forged.get('/me')).toMatchObject({ status: 401, body: { error: 'session_ended' } })
  })
})

describe('a change that requires a confirmation', () => {
  const newKey = (browser: Browser) => browser.post(`${DASHBOARD}/keys`, { label: 'Shop', role: 'viewer' })

  test('is allowed for 10 minutes after a sign-in, then only after a password', async () => {
    const browser = await member('admin')
    await browser.patch(`${DASHBOARD}/account`, { password: PASSWORD })
    expect((await newKey(browser)).status).toBe(201)
    clock.aheadMs += 10 * MINUTE_MS
    expect(await newKey(browser)).toMatchObject({ status: 403, body: { error: 'not_confirmed' } })
    const wrong = await browser.post(`${DASHBOARD}/session/confirm`, { password: 'something else' })
    expect(wrong).toMatchObject({ status: 401, body: { error: 'sign_in_refused' } })
    expect((await newKey(browser)).status).toBe(403)
    expect((await browser.post(`${DASHBOARD}/session/confirm`, { password: PASSWORD })).status).toBe(200)
    expect((await newKey(browser)).status).toBe(201)
  })

  test("can't be confirmed by an account without a password", async () => {
    const browser = await member('admin')
    clock.aheadMs += 10 * MINUTE_MS
    expect((await browser.post(`${DASHBOARD}/session/confirm`, { password: '' })).status).toBe(400)
    expect((await browser.post(`${DASHBOARD}/session/confirm`, { password: 'x' })).status).toBe(401)
    expect((await browser.post(`${DASHBOARD}/session/confirm`, { code: '123456' })).status).toBe(401)
  })

  test('also makes callers wait after five wrong passwords', async () => {
    const browser = await member('admin')
    await browser.patch(`${DASHBOARD}/account`, { password: PASSWORD })
    for (let i = 0; i < 5; i++) await browser.post(`${DASHBOARD}/session/confirm`, { password: 'wrong one' })
    expect(await browser.post(`${DASHBOARD}/session/confirm`, { password: PASSWORD })).toMatchObject({
      status: 429,
    })
  })
})

describe('another site', () => {
  const from = (site: string) => ({ headers: { 'sec-fetch-site': site } })

  test.each(['cross-site', 'same-site', 'none'])('cannot write (%s)', async (site) => {
    const browser = await member()
    for (const path of ['/contacts', `${DASHBOARD}/session/confirm`, `${DASHBOARD}/sign-in`])
      expect(await browser.post(path, { phone: '+919812345671' }, from(site))).toMatchObject({
        status: 403,
        body: { error: 'cross_site' },
      })
  })

  test('cannot read; a page whose address was typed can', async () => {
    const browser = await member()
    expect(await browser.get('/me', from('cross-site'))).toMatchObject({ status: 403 })
    expect((await browser.get('/me', from('same-site'))).status).toBe(200)
    expect((await browser.get('/me', from('none'))).status).toBe(200)
  })

  test('is recognized by its Origin if the browser sends no other header', async () => {
    const { cookie } = await member()
    const { host } = new URL(parley.url)
    const write = (headers: Record<string, string>) =>
      parley.anonymous.patch(
        `${DASHBOARD}/preferences`,
        { theme: 'dark' },
        { headers: { cookie, 'parley-workspace': shop.workspaceId, ...headers } },
      )
    expect((await write({ origin: `http://${host}` })).status).toBe(200)
    const others: Record<string, string>[] = [
      {},
      { origin: 'null' },
      { origin: `https://${host}` },
      { origin: 'http://localhost:1' },
      { origin: `http://${host}.example` },
    ]
    for (const headers of others)
      expect(await write(headers), JSON.stringify(headers)).toMatchObject({ status: 403 })
  })

  test('cannot use a host name of its own that points to this machine', async () => {
    const browser = await member()
    const { port } = new URL(parley.url)
    const requestTo = (host: string) => browser.get('/me', { headers: { host } })
    expect((await requestTo(`rebound.example:${port}`)).body.error).toBe('cross_site')
    expect((await requestTo(`localhost.example:${port}`)).body.error).toBe('cross_site')
    expect((await requestTo(`localhost:${port}`)).status).toBe(200)
    expect((await requestTo(`[::1]:${port}`)).status).toBe(200)
  })

  test('gets no CORS headers', async () => {
    const browser = await member()
    const answer = await browser.get('/me', { headers: { origin: 'https://parley.example' } })
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    expect(answer.headers['cache-control']).toBe('no-store')
  })
})

describe('rights', () => {
  test('a lower role takes effect within a second', async () => {
    const admin = await member('admin')
    expect((await admin.get(`${DASHBOARD}/members`)).status).toBe(200)
    await parley.system((tx) => setMember(tx, admin.memberId, { role: 'viewer' }, clock.now()))
    expect(await admin.get(`${DASHBOARD}/members`)).toMatchObject({
      status: 403,
      body: { error: 'forbidden', required: 'admin' },
    })
    expect(await isOpen(admin)).toBe(true)
  })

  test('a member who left loses access', async () => {
    const agent = await member()
    expect(await isOpen(agent)).toBe(true)
    await parley.system((tx) => setMember(tx, agent.memberId, { leave: true }, clock.now()))
    expect(await agent.get('/me')).toMatchObject({ status: 403, body: { error: 'not_a_member' } })
    expect((await agent.get(`${DASHBOARD}/session`)).status).toBe(403)
    const withoutWorkspace = browserOf(parley, { cookie: agent.cookie })
    expect((await withoutWorkspace.get(`${DASHBOARD}/session`)).body).toMatchObject({
      member: null,
      workspace: null,
      workspaces: [],
    })
  })

  test('another workspace and an unknown workspace get the same answer', async () => {
    const [agent, other] = [await member(), await parley.workspace({ sandbox: true })]
    const texts = await Promise.all(
      [other.workspaceId, randomUUID(), 'nonsense'].map(async (workspaceId) => {
        const answer = await browserOf(parley, { workspaceId, cookie: agent.cookie }).get('/contacts')
        expect(answer).toMatchObject({ status: 403, body: { error: 'not_a_member' } })
        return answer.text
      }),
    )
    expect(new Set(texts).size).toBe(1)
  })

  test('Authorization takes priority over the cookie, right or wrong', async () => {
    const agent = await member()
    const answer = await agent.get('/me', { headers: { authorization: `Bearer ${shop.key}` } })
    expect(answer.body.key.label).toBe('API key')
    expect(await agent.get('/me', { headers: { authorization: 'Bearer nothing' } })).toMatchObject({
      status: 401,
      body: { error: 'api_key_invalid' },
    })
  })

  test('the plan does not restrict the dashboard', async () => {
    const free = await parley.workspace({ plan: 'free' })
    const agent = await member('agent', free)
    expect((await free.get('/contacts')).status).toBe(402)
    expect((await agent.get('/contacts')).status).toBe(200)
  })

  test('each member has buckets and idempotency keys of their own', async () => {
    const fresh = await parley.workspace({ sandbox: true })
    const [first, second] = [await member('agent', fresh), await member('agent', fresh)]
    const remaining = async (browser: { get: Browser['get'] }) =>
      Number((await browser.get('/me')).headers['ratelimit-remaining'])
    for (let i = 0; i < 20; i++) await first.get('/me')
    expect(await remaining(second)).toBe(599)
    expect(await remaining(clientOf(parley.url, fresh.key))).toBe(599)
    const idempotencyKey = randomUUID()
    const make = (browser: Browser, phone: string) => browser.post('/contacts', { phone }, { idempotencyKey })
    const created = await make(first, '+919812345681')
    expect(created.status).toBe(201)
    const replay = await make(first, '+919812345681')
    expect([replay.text, replay.headers['idempotent-replayed']]).toEqual([created.text, 'true'])
    expect((await make(first, '+919812345682')).status).toBe(422)
    const others = await make(second, '+919812345683')
    expect([others.status, others.headers['idempotent-replayed']]).toEqual([201, undefined])
  })
})

describe('a workspace that requires a second factor', () => {
  test('opens for a session that used one; other sessions can only set one up', async () => {
    const strictShop = await parley.workspace({ sandbox: true })
    const owner = await signInByLink(parley, { ...strictShop, memberId: strictShop.ownerId }, clock.now())
    const [admin, agent] = [await member('admin', strictShop), await member('agent', strictShop)]
    const requireFactor = (browser: Browser) =>
      browser.patch(`${DASHBOARD}/security`, { requireSecondFactor: true })
    expect(await requireFactor(admin)).toMatchObject({ status: 403, body: { required: 'owner' } })
    expect(await requireFactor(owner), 'the owner has none').toMatchObject({ status: 409 })
    await parley.system((tx) =>
      tx.sql(
        'update sessions set strong = true where account_id = (select account_id from members where id = $1)',
        [strictShop.ownerId],
      ),
    )
    expect((await requireFactor(owner)).status).toBe(200)
    await parley.caughtUp()
    expect((await owner.get('/contacts')).status).toBe(200)
    for (const path of ['/contacts', `${DASHBOARD}/preferences`])
      expect(await agent.get(path)).toMatchObject({ status: 403, body: { error: 'second_factor_required' } })
    expect((await agent.get(`${DASHBOARD}/session`)).body.secondFactorRequired).toBe(true)
    expect((await agent.post(`${DASHBOARD}/account/totp`)).status).toBe(200)
  })
})
