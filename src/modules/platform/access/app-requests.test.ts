/** Requests of apps, and their permission by an admin (docs/decisions/assistants.md "Apps that connect in a browser"). */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newApp, newRequest, REDIRECT_URI } from '../../../../test/support/apps.ts'
import { boot, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'
import { movingClock } from '../../../../test/support/moving-clock.ts'
import { type Browser, browserOf, DASHBOARD, signIn } from '../../../../test/support/sessions.ts'
import { MINUTE_MS } from '../../../core/clock.ts'

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

/** The address that the service believes to have. */
const siteUrl = () => parley.config.siteUrl

const read = (query: string, browser = admin) => browser.post(`${DASHBOARD}/app-requests`, { query })

test('says who asks, for what, and who gets the answer', async () => {
  const clientId = await newApp(parley.url, REDIRECT_URI, 'Helper')
  const { query } = newRequest(clientId, { scope: 'contacts:read offline_access nothing' })
  const { body } = await read(query)
  expect(body).toMatchObject({
    state: 'asked',
    app: { name: 'Helper', receiver: 'assistant.example', publishedBy: null },
    scopes: ['contacts:read'],
  })
  const cancelled = new URL(body.cancelUrl)
  expect(cancelled.origin + cancelled.pathname).toBe(REDIRECT_URI)
  expect(Object.fromEntries(cancelled.searchParams)).toEqual({
    error: 'access_denied',
    state: 'a state',
    iss: siteUrl(),
  })
})

test('an unknown app, or an address that the app did not register, learns nothing', async () => {
  const clientId = await newApp(parley.url)
  const changed = `${clientId.slice(0, -2)}${clientId.endsWith('A') ? 'B' : 'A'}x`
  for (const query of [
    newRequest('app_nothing').query,
    newRequest(changed).query,
    newRequest(shop.key).query,
    newRequest('').query,
    newRequest(clientId, { redirect_uri: 'https://evil.example/callback' }).query,
    newRequest(clientId, { redirect_uri: `${REDIRECT_URI}/more` }).query,
    newRequest(clientId, { redirect_uri: 'javascript:alert(1)' }).query,
    '',
  ]) {
    const { status, body } = await read(query)
    expect([status, body.error, body.url]).toEqual([400, 'invalid', undefined])
  }
})

test.each([
  ['another response', { response_type: 'token' }, 'unsupported_response_type'],
  ['no proof', { code_challenge: '' }, 'invalid_request'],
  ['a proof in plain text', { code_challenge_method: 'plain' }, 'invalid_request'],
  ['another resource', { resource: 'https://other.example/mcp' }, 'invalid_target'],
  ['a long state', { state: 'x'.repeat(2_001) }, 'invalid_request'],
])('with %s, the app learns the reason', async (_, more, error) => {
  const { body } = await read(newRequest(await newApp(parley.url), more as Record<string, string>).query)
  expect(body.state).toBe('refused')
  expect(new URL(body.url).searchParams.get('error')).toBe(error)
})

test('a repeated parameter is refused', async () => {
  const { query } = newRequest(await newApp(parley.url))
  const { body } = await read(`${query}&state=other`)
  expect(new URL(body.url).searchParams.get('error')).toBe('invalid_request')
})

test('an app that publishes itself is not fetched from a private address', async () => {
  for (const id of ['https://127.0.0.1/app.json', 'https://localhost/app.json', 'https://10.0.0.1/app'])
    expect((await read(newRequest(id).query)).status).toBe(400)
})

test('only an admin with a recent sign-in allows it, once the request is read, for half an hour', async () => {
  const { query } = newRequest(await newApp(parley.url))
  const { request: checked } = (await read(query)).body
  const body = { request: checked, role: 'viewer' }
  const agent = await signIn(parley, shop, 'agent', clock.now())
  expect((await agent.post(`${DASHBOARD}/app-connections`, body)).status).toBe(403)
  expect((await browserOf(parley).post(`${DASHBOARD}/app-requests`, { query })).status).toBe(401)
  expect((await shop.post(`${parley.url}${DASHBOARD}/app-connections`, body)).status).toBe(401)
  for (const other of ['', 'x', checked.slice(0, -4), query])
    expect((await admin.post(`${DASHBOARD}/app-connections`, { ...body, request: other })).status).toBe(400)
  clock.aheadMs += 11 * MINUTE_MS
  const stale = await admin.post(`${DASHBOARD}/app-connections`, body)
  expect([stale.status, stale.body.error]).toEqual([403, 'not_confirmed'])
  clock.aheadMs += 20 * MINUTE_MS
  const again = await signIn(parley, shop, 'admin', clock.now())
  expect((await again.post(`${DASHBOARD}/app-connections`, body)).status).toBe(400)
})
