/** Apps connect by OAuth (docs/decisions/assistants.md "Apps that connect in a browser"). */
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { request } from 'undici'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  allow,
  connectApp,
  newApp,
  newRequest,
  postForm,
  REDIRECT_URI,
  redeem,
  registerClient,
  renew,
} from '../../../test/support/apps.ts'
import { boot, type TestParley, type TestWorkspace } from '../../../test/support/boot.ts'
import { movingClock } from '../../../test/support/moving-clock.ts'
import { type Browser, DASHBOARD, signIn } from '../../../test/support/sessions.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/clock.ts'

const clock = movingClock()
let parley: TestParley
let shop: TestWorkspace
let admin: Browser

beforeAll(async () => {
  parley = await boot({ clock })
})
beforeEach(async () => {
  shop = await parley.workspace()
  admin = await signIn(parley, shop, 'admin', clock.now())
})
afterAll(() => parley?.close())

/** The address that the service believes to have; tests reach it at another port. */
const siteUrl = () => parley.config.siteUrl
const reached = (url: string | URL) => String(url).replace(siteUrl(), parley.url)

const INVALID_GRANT = { status: 400, body: { error: 'invalid_grant' } }
const meOf = async (key: string) => (await shop.get('/me', { key })).status
const keysOf = async () => (await admin.get(`${DASHBOARD}/keys`)).body.keys
/** Returns the code in the address of the app. */
const codeIn = (url: URL): string => url.searchParams.get('code')!

async function allowed(rights?: Parameters<typeof allow>[2], more?: Record<string, string>) {
  const clientId = await newApp(parley.url)
  const { query, verifier } = newRequest(clientId, more)
  return { clientId, verifier, code: codeIn(await allow(admin, query, rights)) }
}

describe('with the official client', () => {
  /** A program that keeps what it is given, and whose person an admin plays. */
  function program(): OAuthClientProvider & { asked: URL | undefined } {
    const kept = {} as Record<'client' | 'tokens' | 'discovery', never>
    let verifier = ''
    return {
      asked: undefined,
      redirectUrl: 'http://127.0.0.1:53682/callback',
      clientMetadata: {
        client_name: 'Desk helper',
        redirect_uris: ['http://127.0.0.1/callback'],
        grant_types: ['authorization_code', 'refresh_token'],
      },
      state: () => 'own-state',
      clientInformation: () => kept.client,
      saveClientInformation: (client) => {
        kept.client = client as never
      },
      discoveryState: () => kept.discovery,
      saveDiscoveryState: (state) => {
        kept.discovery = state as never
      },
      tokens: () => kept.tokens,
      saveTokens: (tokens) => {
        kept.tokens = tokens as never
      },
      saveCodeVerifier: (text) => {
        verifier = text
      },
      codeVerifier: () => verifier,
      redirectToAuthorization(url) {
        this.asked = url
      },
    }
  }
  const transportOf = (authProvider: OAuthClientProvider) =>
    new StreamableHTTPClientTransport(new URL('/mcp', siteUrl()), {
      authProvider,
      fetch: (url, init) => fetch(reached(url), init),
    })
  const connect = async (provider: OAuthClientProvider) => {
    const client = new Client({ name: 'desk', version: '1.0.0' })
    await client.connect(transportOf(provider))
    return client
  }

  test('it finds the way from a 401, registers, connects, and renews its key when it has expired', async () => {
    const provider = program()
    await expect(connect(provider)).rejects.toThrow(UnauthorizedError)
    expect(provider.asked?.pathname).toBe('/connect-app')
    const answer = await allow(admin, provider.asked!.search.slice(1), { role: 'agent' })
    expect(Object.fromEntries(answer.searchParams)).toMatchObject({ state: 'own-state', iss: siteUrl() })
    await transportOf(provider).finishAuth(answer.searchParams)
    const client = await connect(provider)
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('send_message')
    clock.aheadMs += HOUR_MS
    expect((await client.callTool({ name: 'list_conversations', arguments: {} })).isError).toBeFalsy()
    const [key] = (await keysOf()).filter((each: { label: string }) => each.label === 'Desk helper')
    expect(key).toMatchObject({ role: 'agent', memberId: admin.memberId, revokedAt: null })
    await client.close()
  })
})

describe('metadata', () => {
  test('names every address, and the 401 of /mcp leads there', async () => {
    const refused = await request(`${parley.url}/mcp`, { method: 'POST' })
    await refused.body.dump()
    const [, address] = /resource_metadata="([^"]+)"/.exec(String(refused.headers['www-authenticate'])) ?? []
    const resource = (await shop.get(reached(address!))).body
    expect(resource).toMatchObject({ resource: `${siteUrl()}/mcp`, authorization_servers: [siteUrl()] })
    const server = (await shop.get(`${parley.url}/.well-known/oauth-authorization-server`)).body
    expect(server).toMatchObject({
      issuer: siteUrl(),
      authorization_endpoint: `${siteUrl()}/connect-app`,
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      client_id_metadata_document_supported: true,
    })
    for (const url of [server.token_endpoint, server.registration_endpoint, server.revocation_endpoint])
      expect((await postForm(reached(url), {})).status).toBe(400)
  })
})

describe('registration', () => {
  test.each([
    'http://assistant.example/callback',
    'javascript:alert(1)//',
    'javascript://assistant.example/%0aalert(1)',
    'data:text/html,hello',
    'https://assistant.example/callback#part',
    'https://user@assistant.example/callback',
    'file:///etc/passwd',
    'https://assistant.example/two words',
    'https://assistant.example/\u0000',
    'https://assistant.example/\ud800',
    'no address',
    '',
    `https://assistant.example/${'x'.repeat(1_000)}`,
  ])('refuses the address %s', async (uri) => {
    expect(await registerClient(parley.url, { redirect_uris: [uri] })).toMatchObject({
      status: 400,
      body: { error: 'invalid_redirect_uri' },
    })
  })

  test.each([
    'https://assistant.example/callback?from=parley',
    'http://localhost:1234/callback',
    'http://[::1]/callback',
    'cursor://anysphere.cursor/callback',
    'com.example.app:/callback',
  ])('accepts the address %s', async (uri) => {
    const { status, body } = await registerClient(parley.url, { redirect_uris: [uri] })
    expect([status, body.redirect_uris]).toEqual([201, [uri]])
  })

  test('refuses bodies that describe no app', async () => {
    for (const body of ['no json', '[]', 'null', '{}', '{"redirect_uris":[]}', '{"redirect_uris":[1]}'])
      expect((await registerClient(parley.url, body)).status).toBe(400)
    const many = Array.from({ length: 11 }, (_, i) => `https://assistant.example/${i}`)
    expect((await registerClient(parley.url, { redirect_uris: many })).status).toBe(400)
    const named = { redirect_uris: [REDIRECT_URI], client_name: 5 }
    expect((await registerClient(parley.url, named)).body.error).toBe('invalid_client_metadata')
  })

  test('a name shows no invisible characters, and is cut', async () => {
    const name = async (client_name: string) =>
      (await registerClient(parley.url, { redirect_uris: [REDIRECT_URI], client_name })).body.client_name
    expect(await name('Par\u202eley\u0000 \u200bdesk')).toBe('Parley desk')
    expect((await name('x'.repeat(500))).length).toBeLessThanOrEqual(100)
    expect(await name('\u200b')).toBe('assistant.example')
  })
})

describe('a code', () => {
  test('becomes a key of the member with the chosen rights, and its creation is in the activity log', async () => {
    const { code, clientId, verifier } = await allowed({ role: 'agent', scopes: ['contacts:read'] })
    const { status, body, headers } = await redeem(parley.url, { code, clientId, verifier })
    expect([status, headers['cache-control']]).toEqual([200, 'no-store'])
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3_600, scope: 'contacts:read' })
    expect((await shop.get('/contacts', { key: body.access_token })).status).toBe(200)
    expect((await shop.get('/leads', { key: body.access_token })).body.error).toBe('insufficient_scope')
    const [key] = (await keysOf()).filter((each: { label: string }) => each.label === 'Helper')
    expect(key).toMatchObject({ role: 'agent', scopes: ['contacts:read'], memberId: admin.memberId })
    expect(Date.parse(key.renewsUntil)).toBeGreaterThan(Date.parse(key.expiresAt))
    const { activity } = (await shop.get('/activity')).body
    expect(activity).toContainEqual(
      expect.objectContaining({
        kind: 'key.created',
        actor: expect.objectContaining({ id: admin.memberId }),
      }),
    )
  })

  test('is refused without the proof, for another app, at another address, and after two minutes', async () => {
    const first = await allowed()
    const wrong = { ...first, verifier: 'x'.repeat(43) }
    expect(await redeem(parley.url, wrong)).toMatchObject(INVALID_GRANT)
    expect(await redeem(parley.url, { ...first, clientId: await newApp(parley.url) })).toMatchObject(
      INVALID_GRANT,
    )
    const elsewhere = await postForm(`${parley.url}/oauth/token`, {
      grant_type: 'authorization_code',
      code: first.code,
      client_id: first.clientId,
      code_verifier: first.verifier,
      redirect_uri: 'https://evil.example/callback',
    })
    expect(elsewhere).toMatchObject(INVALID_GRANT)
    expect((await redeem(parley.url, first)).status).toBe(200)
    const late = await allowed()
    clock.aheadMs += 2 * MINUTE_MS
    expect(await redeem(parley.url, late)).toMatchObject(INVALID_GRANT)
  })

  test('that is used twice ends the connection', async () => {
    const grant = await allowed()
    const { body } = await redeem(parley.url, grant)
    expect(await meOf(body.access_token)).toBe(200)
    expect(await redeem(parley.url, grant)).toMatchObject(INVALID_GRANT)
    await expect.poll(() => meOf(body.access_token)).toBe(401)
    const renewed = await renew(parley.url, { refreshToken: body.refresh_token, clientId: grant.clientId })
    expect(renewed).toMatchObject(INVALID_GRANT)
  })

  test('used by concurrent requests creates one key at most', async () => {
    const grant = await allowed()
    const answers = await Promise.all([1, 2, 3].map(() => redeem(parley.url, grant)))
    expect(answers.filter(({ status }) => status === 200).length).toBe(1)
    expect((await keysOf()).filter((key: { label: string }) => key.label === 'Helper')).toHaveLength(1)
  })

  test('of a member who left or has a lower role by then is refused', async () => {
    const owner = await signIn(parley, shop, 'admin', clock.now())
    const left = await allowed({ role: 'admin' })
    const lowered = await owner.patch(`${DASHBOARD}/members/${admin.memberId}`, { role: 'agent' })
    expect(lowered.status).toBe(200)
    expect(await redeem(parley.url, left)).toMatchObject(INVALID_GRANT)
    const again = await allowed({ role: 'viewer' }).catch(() => undefined)
    expect(again).toBeUndefined()
  })
})

describe('a renewing token', () => {
  test('replaces the key, which keeps its name and rights', async () => {
    const app = await connectApp(parley.url, admin, { role: 'agent' })
    const before = await keysOf()
    const { status, body } = await renew(parley.url, app)
    expect(status).toBe(200)
    expect(body.refresh_token).not.toBe(app.refreshToken)
    expect(await meOf(body.access_token)).toBe(200)
    await expect.poll(() => meOf(app.apiKey)).toBe(401)
    expect((await keysOf()).map((key: { id: string }) => key.id)).toEqual(
      before.map((key: { id: string }) => key.id),
    )
  })

  test('whose answer was lost works again for a minute; later its use ends the connection', async () => {
    const app = await connectApp(parley.url, admin)
    await renew(parley.url, app)
    clock.aheadMs += 30_000
    const second = await renew(parley.url, app)
    expect(second.status).toBe(200)
    clock.aheadMs += MINUTE_MS
    expect(await renew(parley.url, app)).toMatchObject(INVALID_GRANT)
    const last = { clientId: app.clientId, refreshToken: second.body.refresh_token }
    expect(await renew(parley.url, last)).toMatchObject(INVALID_GRANT)
    await expect.poll(() => meOf(second.body.access_token)).toBe(401)
  })

  test('is refused to another app, after its key was revoked, after the member left, and after 90 days', async () => {
    const app = await connectApp(parley.url, admin)
    expect(await renew(parley.url, { ...app, clientId: await newApp(parley.url) })).toMatchObject(
      INVALID_GRANT,
    )
    const [key] = (await keysOf()).filter((each: { renewsUntil: string | null }) => each.renewsUntil)
    expect((await admin.delete(`${DASHBOARD}/keys/${key.id}`)).status).toBe(200)
    expect(await renew(parley.url, app)).toMatchObject(INVALID_GRANT)
    const other = await signIn(parley, shop, 'admin', clock.now())
    const ofOther = await connectApp(parley.url, other)
    expect((await admin.delete(`${DASHBOARD}/members/${other.memberId}`)).status).toBe(200)
    expect(await renew(parley.url, ofOther)).toMatchObject(INVALID_GRANT)
    const unused = await connectApp(parley.url, admin)
    clock.aheadMs += 90 * DAY_MS
    expect(await renew(parley.url, unused)).toMatchObject(INVALID_GRANT)
    // Old connections are deleted; their keys stay in the list.
    parley.wake()
    const count = async () =>
      (
        await parley.system((tx) =>
          tx.sql('select from app_connections where workspace_id = $1', [shop.workspaceId]),
        )
      ).length
    await expect.poll(count, { timeout: 10_000 }).toBe(0)
  })

  test('lasts as long as it is used', async () => {
    const app = await connectApp(parley.url, admin)
    let { refreshToken } = app
    for (let round = 0; round < 3; round++) {
      clock.aheadMs += 60 * DAY_MS
      const { status, body } = await renew(parley.url, { clientId: app.clientId, refreshToken })
      expect(status).toBe(200)
      refreshToken = body.refresh_token
      expect(await meOf(body.access_token)).toBe(200)
    }
  })

  test('follows the clock of a sandbox: a key that its clock let expire is renewed', async () => {
    shop = await parley.workspace({ sandbox: true })
    admin = await signIn(parley, shop, 'admin', clock.now())
    const app = await connectApp(parley.url, admin)
    expect((await shop.post('/sandbox/clock', { advanceSeconds: 7_200 })).status).toBe(200)
    await expect.poll(() => meOf(app.apiKey)).toBe(401)
    const { status, body } = await renew(parley.url, app)
    expect(status).toBe(200)
    expect(await meOf(body.access_token)).toBe(200)
  })
})

describe('revocation', () => {
  test.each(['refreshToken', 'apiKey'] as const)('by the %s ends the connection', async (name) => {
    const app = await connectApp(parley.url, admin)
    const { status } = await postForm(`${parley.url}/oauth/revoke`, { token: app[name] })
    expect(status).toBe(200)
    await expect.poll(() => meOf(app.apiKey)).toBe(401)
    expect(await renew(parley.url, app)).toMatchObject(INVALID_GRANT)
  })

  test('does nothing to other keys, and answers the same for unknown tokens', async () => {
    for (const token of [shop.key, 'nothing', 'pr_x', 'pk_live_x'])
      expect((await postForm(`${parley.url}/oauth/revoke`, { token })).status).toBe(200)
    expect(await meOf(shop.key)).toBe(200)
  })
})

describe('hostile forms', () => {
  test('get a clear 4xx', async () => {
    const url = `${parley.url}/oauth/token`
    const forms: Record<string, string>[] = [
      {},
      { grant_type: 'password', username: 'a', password: 'b' },
      { grant_type: 'client_credentials', client_id: 'x' },
      { grant_type: 'authorization_code' },
      { grant_type: 'authorization_code', client_id: 'x', code: 'y' },
      { grant_type: 'authorization_code', client_id: 'x', code: `pc_${'A'.repeat(86)}`, code_verifier: 'z' },
      { grant_type: 'refresh_token', client_id: 'x', refresh_token: `pr_${'_'.repeat(86)}` },
      { grant_type: 'refresh_token', client_id: '\u0000', refresh_token: 'pr_' },
    ]
    for (const form of forms) {
      const { status, body } = await postForm(url, form)
      expect([status, typeof body.error]).toEqual([400, 'string'])
    }
    const { status } = await postForm(url, { grant_type: 'refresh_token', client_id: 'x'.repeat(40_000) })
    expect(status).toBe(413)
  })
})
