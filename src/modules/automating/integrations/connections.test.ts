/** Tests of the photo network's account and of the test of a connection (DECISIONS.md). */
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'
import { type PhotoNetwork, startPhotoNetwork } from '../../../../test/support/photo-network.ts'
import { signIn } from '../../../../test/support/sessions.ts'
import { type StandInGateway, startGateway } from '../../../../test/support/stand-in-gateway.ts'
import {
  AI_KEY,
  SHOPIFY_TOKEN,
  type StandInShops,
  startShops,
  WOO_KEY,
  WOO_SECRET,
} from '../../../../test/support/stand-in-shops.ts'

let parley: TestParley
let shops: StandInShops
let gateway: StandInGateway
let network: PhotoNetwork
let shop: TestWorkspace
beforeAll(async () => {
  shops = await startShops()
  gateway = await startGateway()
  network = await startPhotoNetwork()
  parley = await boot({
    env: { ...shops.env, ...network.env, PARLEY_RAZORPAY_URL: gateway.apiUrl },
  })
})
afterAll(async () => {
  await parley?.close()
  await network?.close()
  await gateway?.stop()
  await shops?.stop()
})
beforeEach(async () => {
  shop = await parley.workspace()
  await shop.set({ socialAddon: true })
  shops.hang(() => false)
  network.calls.between()
})

let last = 0
/** Adds an account at the network; returns settings that connect it. */
function accountAtNetwork() {
  const account = `1784100000${String(++last).padStart(4, '0')}`
  const token = `token-of-${account}`
  network.store.accounts.push({ networkId: account, username: `silk_house_${last}`, token })
  return { account, token, appSecret: `secret-of-${account}` }
}
const put = (name: string, settings: Record<string, unknown>, workspace: TestWorkspace = shop) =>
  workspace.call('PUT', `/integrations/${name}`, { settings })
const get = async (name: string, workspace: TestWorkspace = shop): Promise<Body> =>
  (await workspace.get(`/integrations/${name}`)).body.integration
const tested = (name: string, workspace: TestWorkspace = shop) => workspace.post(`/integrations/${name}/test`)

/** Posts the network's handshake to the callback address. */
const handshake = (verifyToken: string) =>
  fetch(
    `${parley.url}/api/social/${shop.workspaceId}?hub.mode=subscribe&hub.challenge=12345&hub.verify_token=${encodeURIComponent(verifyToken)}`,
  )

describe('the account of the photo network', () => {
  test('is connected with a live call; the callback address and a new verify token are returned', async () => {
    const settings = accountAtNetwork()
    const { status, body } = await put('photo', settings)
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body.integration).toMatchObject({
      name: 'photo',
      kind: 'network',
      status: 'active',
      accountName: `silk_house_${last}`,
      intakeUrl: `${parley.config.siteUrl}/api/social/${shop.workspaceId}`,
      settings: {
        account: settings.account,
        token: `****${settings.token.slice(-4)}`,
        appSecret: `****${settings.appSecret.slice(-4)}`,
      },
    })
    expect(JSON.stringify(await shop.get('/integrations'))).not.toContain(settings.token)
    const answer = await handshake(body.secret)
    expect([answer.status, await answer.text()]).toEqual([200, '12345'])
    expect((await handshake('another')).status).toBe(403)
    expect((await shop.get('/activity')).body.activity[0]).toMatchObject({
      kind: 'social.connected',
      actor: { kind: 'key' },
    })
  })

  test('reports with its app secret are accepted, and without it rejected', async () => {
    const settings = accountAtNetwork()
    await put('photo', settings)
    const text = JSON.stringify({ object: 'instagram', entry: [] })
    const post = (secret: string) =>
      fetch(`${parley.url}/api/social/${shop.workspaceId}`, {
        method: 'POST',
        body: text,
        headers: {
          'content-type': 'application/json',
          'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`,
        },
      })
    expect((await post(settings.appSecret)).status).toBe(200)
    expect((await post('another secret')).status).toBe(403)
  })

  test('omitted secrets and the verify token remain when the token is replaced', async () => {
    const settings = accountAtNetwork()
    const { body } = await put('photo', { ...settings, verifyToken: 'my own token' })
    // Printable without spaces.
    expect(body.issues).toMatchObject([{ path: 'settings.verifyToken' }])
    const connected = await put('photo', { ...settings, verifyToken: 'my-own-token' })
    expect(connected.body.secret).toBeUndefined()
    const again = await put('photo', { account: settings.account })
    expect(again).toMatchObject({ status: 200, body: { integration: { status: 'active' } } })
    expect(again.body.secret).toBeUndefined()
    expect((await handshake('my-own-token')).status).toBe(200)
  })

  test("a wrong token, another account's token, and missing secrets are named at their field", async () => {
    const settings = accountAtNetwork()
    const other = accountAtNetwork()
    for (const [input, path, message] of [
      [{ ...settings, token: 'wrong-token' }, 'settings.token', 'rejected'],
      [{ ...settings, token: other.token }, 'settings.account', 'does not exist'],
      [{ ...settings, account: 'silk_house' }, 'settings.account', 'Must be the id of the account'],
      [{ account: settings.account, token: settings.token }, 'settings.appSecret', 'Required.'],
    ] as const)
      expect(await put('photo', input)).toMatchObject({
        status: 400,
        body: { issues: [{ path, message: expect.stringContaining(message) }] },
      })
    expect((await get('photo')).status).toBe('off')
  })

  test('a network that does not answer stores nothing', async () => {
    network.calls.between(async () => ({
      status: 503,
      type: 'text/html',
      bytes: Buffer.from('<h1>Unavailable</h1>'),
    }))
    expect(await put('photo', accountAtNetwork())).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'settings.account', message: expect.stringContaining("didn't answer") }] },
    })
    expect((await get('photo')).status).toBe('off')
  })

  test('one account per workspace; an account of another workspace is a conflict that does not name it', async () => {
    const settings = accountAtNetwork()
    await put('photo', settings)
    expect(await put('photo', accountAtNetwork())).toMatchObject({
      status: 409,
      body: { error: 'conflict', message: expect.stringContaining('Disconnect it first') },
    })
    const other = await parley.workspace({ name: 'Other House' })
    const answer = await put('photo', settings, other)
    expect(answer).toMatchObject({ status: 409, body: { error: 'conflict' } })
    expect(answer.text).not.toContain(shop.workspaceId)
    expect((await shop.delete('/integrations/photo')).body).toEqual({ ok: true, deleted: true })
    expect((await put('photo', settings, other)).status).toBe(200)
  })

  test('of two workspaces that connect the same account at the same moment, one gets it', async () => {
    const settings = accountAtNetwork()
    const other = await parley.workspace()
    const answers = await Promise.all([put('photo', settings), put('photo', settings, other)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  test('is disconnected: its credentials are gone, and a second DELETE says so', async () => {
    const settings = accountAtNetwork()
    const { body } = await put('photo', settings)
    expect((await shop.delete('/integrations/photo')).body).toEqual({ ok: true, deleted: true })
    expect((await shop.delete('/integrations/photo')).body).toEqual({ ok: true, deleted: false })
    expect(await get('photo')).toMatchObject({ status: 'off', settings: {}, accountName: null })
    expect((await handshake(body.secret)).status).toBe(403)
    expect(await shop.post('/social/send', { conversationId: shop.workspaceId, text: 'Hi' })).toMatchObject({
      status: 409,
      body: { error: 'not_connected' },
    })
    expect((await put('photo', settings)).body.secret).toEqual(expect.any(String))
  })

  test('a sandbox rejects it, and an agent may not connect it', async () => {
    const sandbox = await parley.workspace({ sandbox: true })
    expect(await put('photo', accountAtNetwork(), sandbox)).toMatchObject({
      status: 403,
      body: { error: 'sandbox' },
    })
    const agent = await shop.as('agent')
    expect((await agent.call('PUT', '/integrations/photo', { settings: {} })).body.error).toBe('forbidden')
  })

  test("a member's name is in the activity log", async () => {
    const session = await signIn(parley, shop, 'admin')
    const answer = await session.call('PUT', '/integrations/photo', { settings: accountAtNetwork() })
    expect(answer.status, answer.text).toBe(200)
    expect((await shop.get('/activity')).body.activity[0]).toMatchObject({
      kind: 'social.connected',
      actor: { kind: 'member' },
    })
  })
})

describe('the test of a connection', () => {
  const WORKS = { ok: true, problem: null }

  test('calls each system with the stored secrets, and changes nothing', async () => {
    await put('shopify', {
      shop: 'asha.myshopify.com',
      accessToken: SHOPIFY_TOKEN,
      apiSecret: 'shpss_0123456789',
    })
    await put('woocommerce', { url: shops.url, consumerKey: WOO_KEY, consumerSecret: WOO_SECRET })
    await put('ai', { url: `${shops.url}/v1`, apiKey: AI_KEY, model: 'small' })
    await put('photo', accountAtNetwork())
    await put('orders', {})
    await shop.connectGateway({
      provider: 'razorpay',
      keyId: 'rzp_test_shop',
      keySecret: 'key secret',
      webhookSecret: 'webhook secret',
    })
    const before = (await shop.get('/integrations')).body
    for (const name of ['shopify', 'woocommerce', 'razorpay', 'ai', 'photo', 'orders'])
      expect([name, (await tested(name)).body]).toEqual([name, WORKS])
    expect((await shop.get('/integrations')).body).toEqual(before)
  })

  test('says in words what is wrong: a key that the gateway no longer accepts, a gateway that is away', async () => {
    await shop.connectGateway({
      provider: 'razorpay',
      keyId: 'rzp_test_shop',
      keySecret: 'replaced at the gateway',
      webhookSecret: 'webhook secret',
    })
    expect((await tested('razorpay')).body).toEqual({
      ok: false,
      problem: expect.stringContaining('The payment gateway rejected it'),
    })
    await put('ai', { url: `${shops.url}/v1`, apiKey: AI_KEY, model: 'small' })
    shops.hang(({ path }) => path.startsWith('/v1'))
    const hanging = tested('ai')
    const stop = setInterval(() => {
      for (const response of shops.held) response.destroy()
    }, 50)
    expect((await hanging).body).toEqual({ ok: false, problem: expect.stringContaining("Can't be reached") })
    clearInterval(stop)
  })

  test("a token that the photo network no longer accepts is shown, and the account's state says so", async () => {
    const settings = accountAtNetwork()
    await put('photo', settings)
    network.store.accounts.find(({ networkId }) => networkId === settings.account)!.token = 'replaced-token'
    expect((await tested('photo')).body).toEqual({
      ok: false,
      problem: expect.stringContaining('The photo network rejected it'),
    })
    expect(await get('photo')).toMatchObject({ status: 'error', lastError: expect.any(String) })
    expect((await put('photo', { account: settings.account, token: 'replaced-token' })).status).toBe(200)
    expect((await tested('photo')).body).toEqual(WORKS)
  })

  test('without a connection it is a conflict; a sandbox tests only the simulator', async () => {
    for (const name of ['shopify', 'razorpay', 'ai', 'photo', 'orders'])
      expect(await tested(name)).toMatchObject({ status: 409, body: { error: 'conflict' } })
    expect((await tested('magento')).body.error).toBe('unknown_integration')
    const sandbox = await parley.workspace({ sandbox: true })
    expect((await tested('razorpay', sandbox)).body.error).toBe('sandbox')
    expect((await tested('simulator', sandbox)).body).toEqual(WORKS)
    expect((await (await shop.as('agent')).post('/integrations/ai/test')).body.error).toBe('forbidden')
  })
})

describe('the assistant for agents', () => {
  const settings = () => ({ url: `${shops.url}/v1`, apiKey: AI_KEY, model: 'small' })

  test('is off until an admin turns it on, and off again when the setting is omitted', async () => {
    expect((await put('ai', settings())).body.integration.settings.forAgents).toBe(false)
    expect((await put('ai', { ...settings(), forAgents: true })).body.integration.settings.forAgents).toBe(
      true,
    )
    expect((await put('ai', settings())).body.integration.settings.forAgents).toBe(false)
    expect((await put('ai', { ...settings(), forAgents: 'yes' })).body.issues).toMatchObject([
      { path: 'settings.forAgents' },
    ])
  })
})
