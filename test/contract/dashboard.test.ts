/**
 * Every endpoint of the dashboard in the catalog: who may use it, from where, how often, and with which body.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DASHBOARD_ENDPOINTS, ENDPOINTS } from '../../src/catalog.ts'
import { BUCKETS } from '../../src/core/buckets.ts'
import { ROLES, type Role, roleReaches } from '../../src/core/context.ts'
import { type Endpoint, isWrite } from '../../src/core/endpoint.ts'
import { errorRow } from '../../src/core/errors.ts'
import { postHistoryFile } from '../../src/modules/automating/history-imports/endpoints.ts'
import { postPush } from '../../src/modules/platform/push/endpoints.ts'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { type MovingClock, movingClock } from '../support/moving-clock.ts'
import { type Browser, browserOf, DASHBOARD, signIn } from '../support/sessions.ts'
import { until } from '../support/until.ts'
import { document } from './conform.ts'
import { named } from './requests.ts'

const SIGNED_IN = DASHBOARD_ENDPOINTS.filter((value) => value.role !== null)
const FOR_NOBODY = DASHBOARD_ENDPOINTS.filter((value) => value.role === null)
const OF_WORKSPACE = SIGNED_IN.filter((value) => value.kind !== 'account')
const WRITES = DASHBOARD_ENDPOINTS.filter(isWrite)

let clock: MovingClock
let parley: TestParley
let shop: TestWorkspace
let other: TestWorkspace
const members = {} as Record<Role, Browser>
beforeAll(async () => {
  clock = movingClock()
  parley = await boot({ clock })
  shop = await parley.workspace({ sandbox: true })
  other = await parley.workspace({ sandbox: true })
  for (const role of ROLES) members[role] = await signIn(parley, shop, role)
})
afterAll(() => parley?.close())

/**
 * Returns a request that is authenticated and then finds nothing, or fails validation. It changes nothing.
 */
const send = (
  browser: Browser,
  value: Endpoint,
  { id = randomUUID(), ...options }: { id?: string; headers?: Record<string, string>; body?: unknown } = {},
) => {
  const path = DASHBOARD + value.path.replace(/:\w+/g, id)
  const body = 'body' in options ? options.body : value.body ? [] : undefined
  return browser.call(value.method, path, body, options.headers ? { headers: options.headers } : {})
}
/** Endpoints whose request ends the session. */
const endsSession = (value: Endpoint) => value.method === 'DELETE' && value.path === '/session'
const copyOf = ({ cookie }: Browser) => browserOf(parley, { workspaceId: shop.workspaceId, cookie })

test('they are listed once, mounted apart from the API, and not in the public description', () => {
  const names = [...ENDPOINTS, ...DASHBOARD_ENDPOINTS].map(({ name }) => name)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  expect(DASHBOARD_ENDPOINTS.filter(({ auth }) => auth !== 'session')).toEqual([])
  expect(ENDPOINTS.filter(({ auth }) => auth !== undefined)).toEqual([])
  expect(JSON.stringify(document)).not.toContain(DASHBOARD)
  const described = Object.keys(document.paths)
  expect(described.filter((path) => /sign-in|session|members|account/.test(path))).toEqual([])
})

test('each declares its errors with existing codes, and the roles that may use it', () => {
  for (const value of DASHBOARD_ENDPOINTS) {
    for (const code of value.refuses) expect(errorRow(code), `${value.name} ${code}`).toBeDefined()
    expect(value.scope, value.name).toBeNull()
    expect(value.bucket, value.name).not.toBeNull()
  }
})

describe.each(named(SIGNED_IN))('%s', (_, value) => {
  test('401 without a session, with an invalid session, and with any key', async () => {
    const signedOut = browserOf(parley, { workspaceId: shop.workspaceId })
    expect(await send(signedOut, value)).toMatchObject({ status: 401, body: { error: 'unauthorized' } })
    const madeUp = browserOf(parley, { workspaceId: shop.workspaceId, cookie: 'parley-4000=nothing' })
    expect(await send(madeUp, value)).toMatchObject({ status: 401, body: { error: 'session_ended' } })
    for (const browser of [signedOut, copyOf(members.admin)])
      expect(await send(browser, value, { headers: { authorization: `Bearer ${shop.key}` } })).toMatchObject({
        status: 401,
        body: { error: 'unauthorized' },
      })
  })

  test('allows its role and higher roles, and no lower role', async () => {
    if (endsSession(value)) return
    for (const role of ROLES) {
      const { status, body } = await send(members[role], value)
      const isOpen = roleReaches(role, value.role as Role)
      expect([status === 403 && body.error === 'forbidden', role], JSON.stringify(body)).toEqual([
        !isOpen,
        role,
      ])
      if (!isOpen) expect(body.required).toBe(value.role)
      expect(status).not.toBe(401)
      expect(status).toBeLessThan(500)
    }
  })

  test('another workspace is not accessible', async () => {
    const { cookie } = members.admin
    const otherWorkspace = browserOf(parley, { workspaceId: other.workspaceId, cookie })
    expect(await send(otherWorkspace, value)).toMatchObject({ status: 403, body: { error: 'not_a_member' } })
  })

  test('requires a confirmation after 10 minutes where it says so, and nowhere else', async () => {
    if (endsSession(value)) return
    clock.aheadMs += 11 * 60_000
    const { body, status } = await send(members.admin, value)
    clock.aheadMs -= 11 * 60_000
    // With `after-first`, the account's first password or passkey needs no confirmation.
    expect(status === 403 && body.error === 'not_confirmed').toBe(value.fresh === true)
  })
})

describe.each(named(OF_WORKSPACE))('%s', (_, value) => {
  test('requires the workspace to be named', async () => {
    const { cookie } = members.admin
    expect(await send(browserOf(parley, { cookie }), value)).toMatchObject({
      status: 403,
      body: { error: 'not_a_member' },
    })
  })

  test('counts only in a bucket of the member', async () => {
    const { burst } = BUCKETS[value.bucket as keyof typeof BUCKETS]
    const [first, second] = [await signIn(parley, shop, 'admin'), await signIn(parley, shop, 'admin')]
    await send(first, value)
    const { headers } = await send(second, value)
    expect([headers['ratelimit-limit'], headers['ratelimit-remaining']]).toEqual([
      String(burst),
      String(burst - 1),
    ])
  })
})

describe.each(named(OF_WORKSPACE.filter(({ subject }) => subject)))('%s', (_, value) => {
  test("another workspace's id answers like a missing id", async () => {
    const chat = await other.post('/conversations', { phone: '+919812300001' })
    const foreign = {
      member: other.ownerId,
      phoneNumber: other.phoneNumberId as string,
      conversation: chat.body.conversation.id as string,
      key: '',
      import: '',
      historyImport: '',
      pushSubscription: '',
      numberSignup: randomUUID(),
    }
    const file = { filename: 'people.csv', fileBase64: Buffer.from('phone\n12\n').toString('base64') }
    const agent = await signIn(parley, other, 'agent')
    foreign.import = (await agent.post(`${DASHBOARD}/imports`, file)).body.import.id
    const admin = await signIn(parley, other, 'admin')
    await parley.system((tx) =>
      tx.sql(
        `insert into number_signups (workspace_id, id, member_id, session_id, keeps_phone_app, state_hash, step, created_at, updated_at, expires_at)
         values ($1, $2, $3, gen_random_uuid(), false, '', 'returned', now(), now(), now() + interval '1 hour')`,
        [other.workspaceId, foreign.numberSignup, admin.memberId],
      ),
    )
    const history = await admin.post(`${DASHBOARD}/history-imports/files`, {
      ...(postHistoryFile.example as object),
      dryRun: true,
    })
    foreign.historyImport = history.body.import.id
    foreign.pushSubscription = (await agent.post(`${DASHBOARD}/push`, postPush.example)).body.subscription.id
    const foreignKeys = await parley.system((tx) =>
      tx.sql<{ id: string }>('select id from api_keys where workspace_id = $1', [other.workspaceId]),
    )
    foreign.key = foreignKeys[0]?.id as string
    const id = foreign[value.subject as keyof typeof foreign]
    expect(id, `test/contract/dashboard.test.ts knows no ${value.subject}`).toBeDefined()
    const missing = randomUUID()
    const body = value.body ? (value.example ?? {}) : undefined
    const [foreignAnswer, unknownAnswer] = [
      await send(members.admin, value, { id, body }),
      await send(members.admin, value, { id: missing, body }),
    ]
    expect(foreignAnswer, foreignAnswer.text).toMatchObject({ status: 404, body: { error: 'not_found' } })
    expect(foreignAnswer.text.replaceAll(id, missing)).toBe(unknownAnswer.text)
  })
})

describe.each(named(WRITES))('%s', (_, value) => {
  test('rejects requests from other sites', async () => {
    for (const site of ['cross-site', 'same-site', 'none'])
      expect(await send(copyOf(members.admin), value, { headers: { 'sec-fetch-site': site } })).toMatchObject(
        {
          status: 403,
          body: { error: 'cross_site' },
        },
      )
  })

  test('answers any body promptly, without server errors', async () => {
    if (endsSession(value)) return
    const browser = await signIn(parley, shop, 'admin')
    const bodies = [
      '',
      'null',
      '[]',
      '"x"',
      '{"__proto__":{"a":1}}',
      '{"token":"\\u0000"}',
      '{"email":{}}',
      '{',
    ]
    for (const body of value.body ? bodies : ['{}']) {
      const { status, text } = await send(browser, value, { body })
      expect(status, text).toBeLessThan(500)
      if (value.body && !value.bodyOptional && body.length < 5) expect(status, body).toBe(400)
    }
    const large = await send(browser, value, { body: `{"a":"${'x'.repeat(value.bodyLimit ?? 70_000)}"}` })
    expect(large.status).toBe(413)
    const packed = await send(browser, value, { body: '{}', headers: { 'content-encoding': 'gzip' } })
    expect(packed.status).toBe(415)
  })
})

describe.each(named(FOR_NOBODY))('%s', (_, value) => {
  test("requires no key, and shows the size of the address's bucket", async () => {
    const signedOut = browserOf(parley)
    const answer = await send(signedOut, value)
    expect(answer.headers['ratelimit-limit']).toBe(String(BUCKETS.keyless.burst))
    expect(answer.status).not.toBe(403)
    expect(await send(signedOut, value, { headers: { authorization: `Bearer ${shop.key}` } })).toMatchObject({
      status: 401,
      body: { error: 'unauthorized' },
    })
  })

  test('works for a caller whose session has ended', async () => {
    const left = await signIn(parley, shop, 'viewer')
    const { cookie } = left
    await left.delete(`${DASHBOARD}/session`)
    await parley.caughtUp()
    const before = browserOf(parley, { ...shop, cookie })
    await until(async () => (await before.get('/me')).status === 401, 'the session has ended')
    expect((await send(before, value)).body.error).not.toBe('session_ended')
  })
})
