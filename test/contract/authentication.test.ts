/**
 * Authentication and authorization (spec 5; docs/clarifications.md "Order of refusals") of every endpoint in
 * the catalog.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROLES, type Role, roleReaches } from '../../src/core/context.ts'
import type { Endpoint } from '../../src/core/endpoint.ts'
import { SCOPES, type Scope } from '../../src/core/scopes.ts'
import { newApiKey } from '../../src/core/values/api-key.ts'
import { readScopeOf } from '../../src/http/endpoint/shown-reply.ts'
import { revokeApiKey } from '../../src/modules/platform/workspaces/operations/api-keys.ts'
import { addMember, setMember } from '../../src/modules/platform/workspaces/operations/workspace-members.ts'
import { boot, type Client, clientOf, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { arranging } from './arrange.ts'

const ARRANGING = await arranging()

import { conform } from './conform.ts'
import { ask, entered, KEYED, named, probe } from './requests.ts'

const ELSEWHERE = ['203.0.113.0/24', '2001:db8::/32']

let parley: TestParley
let shop: TestWorkspace
let free: TestWorkspace
let unlimited: Record<Role, Client>
const narrowed = new Map<string, Client>()

/**
 * Returns a narrowed key, the same for each call, in its own workspace, because rejected requests use up
 * buckets too.
 */
const clientWith = async (role: Role, scopes: Scope[]): Promise<Client> => {
  const name = `${role} ${scopes.join()}`
  const client =
    narrowed.get(name) ?? (await (await parley.workspace({ sandbox: true })).as(role, { scopes }))
  narrowed.set(name, client)
  return client
}

beforeAll(async () => {
  parley = await boot(ARRANGING)
  shop = await parley.workspace({ sandbox: true })
  free = await parley.workspace({ plan: 'free' })
  const [viewer, agent, admin] = await Promise.all(
    ROLES.map(async (role) => (await parley.workspace({ sandbox: true })).as(role)),
  )
  unlimited = { viewer, agent, admin } as Record<Role, Client>
})
afterAll(() => parley.close())

const refused = async (client: Client, value: Endpoint, headers: Record<string, string> = {}) => {
  const { status, body, headers: answered } = await ask(client, value, probe(value), { headers })
  return { status, error: body.error, limited: 'ratelimit-limit' in answered, body }
}

test.each(['', 'Bearer', 'Bearer  ', 'Basic cGFybGV5', 'pk_live_without_its_scheme'])(
  'Authorization %j contains no key: the error explains how to send a key (spec 5.1, 5.3)',
  async (authorization) => {
    const answer = await parley.anonymous.get('/me', { headers: { authorization } })
    expect(answer).toMatchObject({
      status: 401,
      body: { error: 'unauthorized', message: 'Send your key as `Authorization: Bearer <API_KEY>`.' },
      headers: { 'www-authenticate': 'Bearer' },
    })
  },
)

describe.each(named(KEYED))('%s', (_, value) => {
  test('401 without a key, and with an unknown, revoked, or expired key; none of these requests is counted', async () => {
    const revoked = await shop.as('admin')
    await parley.system((tx) => revokeApiKey(tx, revoked.keyId, new Date()))
    const expired = await shop.as('admin', { expiresAt: new Date('2020-01-01T00:00:00Z') })
    const cases: [Client, string][] = [
      [parley.anonymous, 'unauthorized'],
      [clientOf(parley.url, 'not-a-key'), 'api_key_invalid'],
      [clientOf(parley.url, newApiKey(true)), 'api_key_invalid'],
      [revoked, 'api_key_revoked'],
      [expired, 'api_key_expired'],
    ]
    for (const [client, error] of cases)
      expect(await refused(client, value)).toMatchObject({ status: 401, error, limited: false })
  })

  test('402 on a plan without the API, with the place to upgrade (spec 5.2)', async () => {
    const { status, error, limited, body } = await refused(free, value)
    expect({ status, error, limited }).toEqual({
      status: 402,
      error: 'plan_feature_unavailable',
      limited: value.bucket !== null,
    })
    expect(body.upgradeUrl).toMatch(/^http.*billing$/)
  })

  test.each(ROLES)('role %s', async (role) => {
    const answer = await ask(unlimited[role], value, probe(value))
    if (roleReaches(role, value.role as Role)) expect(entered(answer), answer.text).toBe(true)
    else expect(answer).toMatchObject({ status: 403, body: { error: 'forbidden', required: value.role } })
  })

  test('scopes: its own scope allows it, every other scope does not (spec 5.4)', async () => {
    if (value.scope === null) {
      const permitted = await ask(await clientWith('admin', ['social:read']), value, probe(value))
      expect(entered(permitted), permitted.text).toBe(true)
      return
    }
    for (const scope of [value.scope, ...(value.orScope ? [value.orScope] : [])]) {
      const client = await clientWith('admin', [scope])
      const { path, body } = probe(value)
      const right = await client.call(value.method, path, body)
      // A key that may only write receives less than the document describes (narrowed-keys.test.ts).
      if (readScopeOf(value) === undefined || right.status >= 400) conform(value, right)
      expect(entered(right), right.text).toBe(true)
    }
    for (const scope of SCOPES.filter(
      (candidate) => candidate !== value.scope && candidate !== value.orScope,
    ))
      expect(await ask(await clientWith('admin', [scope]), value, probe(value))).toMatchObject({
        status: 403,
        body: { error: 'insufficient_scope', required: value.scope },
      })
  })

  test('the scope list allows a key below the role only where the endpoint says so (spec 4.8)', async () => {
    if (value.role === 'viewer' || value.scope === null) return
    const answer = await ask(await clientWith('viewer', [value.scope]), value, probe(value))
    if (value.scopeOverRole) expect(entered(answer), answer.text).toBe(true)
    else expect(answer).toMatchObject({ status: 403, body: { error: 'forbidden', required: value.role } })
  })

  test('403 ip_not_allowed for a key that is limited to other addresses', async () => {
    const restrictedClient = await (await parley.workspace()).as('admin', { allowIps: ELSEWHERE })
    expect(await refused(restrictedClient, value)).toMatchObject({ status: 403, error: 'ip_not_allowed' })
  })
})

const byName = (name: string): Endpoint => {
  const value = KEYED.find((endpoint) => `${endpoint.method} ${endpoint.path}` === name)
  if (!value) throw new Error(`there is no ${name}`)
  return value
}

describe('addresses', () => {
  test('a forwarded address counts only when a trusted proxy sent it (PARLEY_TRUST_PROXY)', async () => {
    const behind = await boot({ databaseUrl: parley.databaseUrl, env: { PARLEY_TRUST_PROXY: '127.0.0.0/8' } })
    try {
      const key = (await shop.as('admin', { allowIps: ELSEWHERE })).key
      const from = async (base: string, forwarded: string) =>
        (await clientOf(base, key).get('/me', { headers: { 'x-forwarded-for': forwarded } })).status
      for (const address of ['203.0.113.9', '2001:db8::9', '::ffff:203.0.113.9', '198.51.100.1, 203.0.113.9'])
        expect([address, await from(behind.url, address)]).toEqual([address, 200])
      for (const address of ['198.51.100.1', '2001:db9::1', '203.0.113.9, 198.51.100.1', 'nonsense', ''])
        expect([address, await from(behind.url, address)]).toEqual([address, 403])
      expect(await from(parley.url, '203.0.113.9')).toBe(403)
    } finally {
      await behind.close()
    }
  })

  test("a key limited to the caller's address is accepted", async () => {
    for (const allowIps of [
      ['127.0.0.1'],
      ['127.0.0.0/8'],
      ['::1/128', '127.0.0.1/32'],
      ['::ffff:127.0.0.1'],
      ['::ffff:127.0.0.0/104'],
    ])
      expect((await (await shop.as('viewer', { allowIps })).get('/me')).status).toBe(200)
  })
})

describe('the order of errors', () => {
  const rotate = () => byName('POST /webhooks/:id/rotate')

  test('401 before 402', async () => {
    const expired = await free.as('viewer', { expiresAt: new Date('2020-01-01T00:00:00Z') })
    expect(await refused(expired, rotate())).toMatchObject({ error: 'api_key_expired' })
  })

  test('402 plan before 403', async () => {
    const client = await free.as('viewer', { scopes: ['crm:read'], allowIps: ELSEWHERE })
    expect(await refused(client, rotate())).toMatchObject({ error: 'plan_feature_unavailable' })
  })

  test('address before role before scope', async () => {
    const restrictedClient = await shop.as('viewer', { scopes: ['crm:read'], allowIps: ELSEWHERE })
    expect(await refused(restrictedClient, rotate())).toMatchObject({ error: 'ip_not_allowed' })
    const low = await shop.as('viewer', { scopes: ['crm:read'] })
    expect(await refused(low, rotate())).toMatchObject({ error: 'forbidden' })
    const narrow = await shop.as('admin', { scopes: ['crm:read'] })
    expect(await refused(narrow, rotate())).toMatchObject({ error: 'insufficient_scope' })
  })

  test('403 before 429 before 404 before 400', async () => {
    const other = await parley.workspace()
    const low = await other.as('viewer')
    const missing = { path: `/webhooks/${randomUUID()}/rotate` }
    const statuses: number[] = []
    for (let i = 0; i < 4; i++) statuses.push((await ask(other, rotate(), missing)).status)
    expect(statuses, 'two keys: half of five').toEqual([404, 404, 429, 429])
    expect(await refused(low, rotate())).toMatchObject({ error: 'forbidden' })
  })

  test('429 before the gate of the sandbox before 400', async () => {
    const live = await parley.workspace()
    const inbound = byName('POST /sandbox/inbound')
    expect(await refused(live, inbound)).toMatchObject({ status: 404, error: 'not_found' })
    const errors = new Set<string>()
    while (!errors.has('rate_limited'))
      for (const { error } of await Promise.all(Array.from({ length: 100 }, () => refused(live, inbound))))
        errors.add(error)
    expect(errors).toEqual(new Set(['not_found', 'rate_limited']))
  })

  test('400 before an error of a rule', async () => {
    const answer = await unlimited.agent.patch(`/contacts/${randomUUID()}`, { displayName: 7 })
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid' } })
  })
})

describe('the end of a key', () => {
  const memberWithKey = async () => {
    const { memberId } = await parley.system((tx) =>
      addMember(
        tx,
        { workspaceId: shop.workspaceId, email: `${randomUUID()}@example.com`, name: 'Ravi', role: 'admin' },
        new Date(),
      ),
    )
    return { memberId, client: await shop.as('agent', { memberId }) }
  }

  test.each([
    ['leaves', { leave: true }],
    ['moves to a lower role', { role: 'viewer' as const }],
  ])('the keys of a member who %s are revoked (spec 5.5)', async (_, patch) => {
    const { memberId, client } = await memberWithKey()
    expect((await client.get('/me')).status).toBe(200)
    await parley.system((tx) => setMember(tx, memberId, patch, new Date()))
    expect((await client.get('/me')).body.error).toBe('api_key_revoked')
  })

  test('every process rejects a key revoked here as soon as it is notified', async () => {
    const second = await boot({ databaseUrl: parley.databaseUrl })
    try {
      const { key, keyId } = await shop.as('viewer')
      const strictClient = clientOf(second.url, key)
      expect((await strictClient.get('/me')).status).toBe(200)
      await parley.system((tx) => revokeApiKey(tx, keyId, new Date()))
      // The notification is on its way to that process before the change is answered.
      await second.caughtUp()
      expect((await strictClient.get('/me')).body.error).toBe('api_key_revoked')
    } finally {
      await second.close()
    }
  })

  test('a key works only in its own workspace, and the error says so', async () => {
    const other = await parley.workspace({ sandbox: true })
    expect((await other.get('/me')).body.workspace.id).toBe(other.workspaceId)
    expect((await shop.get('/me')).body.workspace.id).toBe(shop.workspaceId)
  })
})
