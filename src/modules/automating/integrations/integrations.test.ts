/** Tests of connecting shops, a gateway, and an assistant (spec 4.10, DECISIONS.md). */
import { createHmac, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type Body,
  boot,
  SECRET_KEY,
  type TestParley,
  type TestWorkspace,
} from '../../../../test/support/boot.ts'
import { connectNumber } from '../../../../test/support/operator-webhooks.ts'
import { everythingOf, rowCountsOf } from '../../../../test/support/records.ts'
import { deliveriesApplied, orderEvents } from '../../../../test/support/shops.ts'
import { type StandInGateway, startGateway } from '../../../../test/support/stand-in-gateway.ts'
import {
  AI_KEY,
  SHOPIFY_TOKEN,
  type StandInShops,
  startShops,
  WOO_KEY,
  WOO_SECRET,
} from '../../../../test/support/stand-in-shops.ts'
import { until } from '../../../../test/support/until.ts'
import { createSealer } from '../../../core/sealing.ts'
import { findAssistant } from './operations/find-assistant.ts'

let parley: TestParley
let shops: StandInShops
let gateway: StandInGateway
let shop: TestWorkspace
beforeAll(async () => {
  shops = await startShops()
  gateway = await startGateway()
  parley = await boot({ env: { ...shops.env, PARLEY_RAZORPAY_URL: gateway.apiUrl } })
})
afterAll(async () => {
  await parley.close()
  await gateway.stop()
  await shops.stop()
})
beforeEach(async () => {
  shop = await parley.workspace()
  shops.hang(() => false)
})

const put = (name: string, settings: Record<string, unknown>, workspace: TestWorkspace = shop) =>
  workspace.call('PUT', `/integrations/${name}`, { settings })
const get = async (name: string): Promise<Body> => (await shop.get(`/integrations/${name}`)).body.integration
/** Returns the address of its reports, at this server's port. */
const addressOf = ({ intakeUrl }: Body): string =>
  `${parley.url}${intakeUrl.slice(parley.config.siteUrl.length)}`

const waitFor = (description: string, check: () => Promise<boolean>) => until(check, description)

const API_SECRET = 'shpss_0123456789abcdef'
const shopifySettings = { shop: 'asha.myshopify.com', accessToken: SHOPIFY_TOKEN, apiSecret: API_SECRET }
const wooSettings = () => ({ url: shops.url, consumerKey: WOO_KEY, consumerSecret: WOO_SECRET })
const aiSettings = () => ({ url: `${shops.url}/v1`, apiKey: AI_KEY, model: 'small', dailyLimit: 50 })

describe('names', () => {
  test('an unknown name returns 404', async () => {
    for (const [method, name] of [
      ['GET', 'magento'],
      ['PUT', 'magento'],
      ['DELETE', 'magento'],
      ['GET', 'simulator'],
    ] as const) {
      const body = method === 'PUT' ? { anything: 1 } : undefined
      expect(await shop.call(method, `/integrations/${name}`, body)).toMatchObject({
        status: 404,
        body: { error: 'unknown_integration' },
      })
    }
  })

  test('all integrations are listed, connected or not', async () => {
    const { integrations } = (await shop.get('/integrations')).body
    expect(integrations.map(({ name, kind, status }: Body) => [name, kind, status])).toEqual([
      ['shopify', 'store', 'off'],
      ['woocommerce', 'store', 'off'],
      ['orders', 'store', 'off'],
      ['razorpay', 'gateway', 'off'],
      ['photo', 'network', 'off'],
      ['ai', 'assistant', 'off'],
    ])
  })

  test('PUT in a sandbox returns 403; the simulator is always active and accepts its settings', async () => {
    shop = await parley.workspace({ sandbox: true })
    for (const [name, settings] of Object.entries({
      shopify: shopifySettings,
      orders: {},
      ai: aiSettings(),
      razorpay: { keyId: 'rzp_test_1' },
    }))
      expect(await put(name, settings)).toMatchObject({ status: 403, body: { error: 'sandbox' } })
    // Checked before the body, like every gate.
    for (const body of [{}, { apiKey: 'key' }, { settings: { domain: 'asha.example.com' } }])
      expect(await shop.call('PUT', '/integrations/shopify', body)).toMatchObject({
        status: 403,
        body: { error: 'sandbox' },
      })
    expect((await put('magento', {})).status).toBe(404)
    expect(await get('simulator')).toMatchObject({ status: 'active', settings: { cod: { enabled: false } } })
    const cod = { enabled: true, delayMinutes: 5, remindAfterMinutes: 60 }
    expect(await put('simulator', { country: 'IN', cod })).toMatchObject({
      status: 200,
      body: {
        integration: {
          name: 'simulator',
          kind: 'store',
          status: 'active',
          settings: { country: 'IN', createLeads: false, cod: { ...cod, expireHours: 48, tagStore: true } },
          intakeUrl: null,
        },
      },
    })
    expect((await shop.delete('/integrations/simulator')).body).toEqual({ ok: true, deleted: true })
    expect(await get('simulator')).toMatchObject({ status: 'active', settings: { country: null } })
    expect((await shop.get('/integrations')).body.integrations).toHaveLength(7)
  })

  test('settings of another integration are rejected, and the error names the field', async () => {
    expect(await put('orders', { shop: 'asha.myshopify.com', cod: { enabled: 'yes' } })).toMatchObject({
      status: 400,
      body: { error: 'invalid' },
    })
    expect(await put('orders', { model: 'small' })).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'settings.model' }] },
    })
    for (const [delayMinutes, message] of [
      [99_999, 'Must be at most 10080.'],
      [-1, 'Must not be negative.'],
      [1.5, 'Must be a whole number.'],
    ])
      expect(await put('orders', { cod: { delayMinutes } })).toMatchObject({
        status: 400,
        body: { issues: [{ path: 'settings.cod.delayMinutes', message }] },
      })
    expect(await put('shopify', { shop: 'example.com' })).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'settings.shop' }] },
    })
    expect(await put('shopify', { shop: 'asha.myshopify.com' })).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'settings.accessToken' }, { path: 'settings.apiSecret' }] },
    })
  })
})

describe('an invalid key returns an error that names its field', () => {
  const field = async (name: string, settings: Record<string, unknown>) => {
    const answer = await put(name, settings)
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid' } })
    expect(await get(name)).toMatchObject({ status: 'off' })
    return answer.body.issues.map(({ path }: Body) => path)
  }

  test('shopify', async () => {
    expect(await field('shopify', { ...shopifySettings, accessToken: 'wrong-token' })).toEqual([
      'settings.accessToken',
    ])
  })

  test('woocommerce', async () => {
    expect(await field('woocommerce', { ...wooSettings(), consumerKey: 'ck_wrong000' })).toEqual([
      'settings.consumerKey',
    ])
    expect(await field('woocommerce', { ...wooSettings(), consumerSecret: 'cs_wrong000' })).toEqual([
      'settings.consumerSecret',
    ])
    expect(await field('woocommerce', { ...wooSettings(), url: `${shops.url}/blog` })).toEqual([
      'settings.url',
    ])
    expect(await field('woocommerce', { ...wooSettings(), url: 'https://10.1.2.3' })).toEqual([
      'settings.url',
    ])
  })

  test('ai; a private address is rejected', async () => {
    expect(await field('ai', { ...aiSettings(), apiKey: 'sk-wrong000' })).toEqual(['settings.apiKey'])
    expect(await field('ai', { ...aiSettings(), model: 'large' })).toEqual(['settings.model'])
    expect(await field('ai', { ...aiSettings(), url: `${shops.url}/v2` })).toEqual(['settings.url'])
    expect(await field('ai', { ...aiSettings(), url: 'http://192.168.7.7:11434/v1' })).toEqual([
      'settings.url',
    ])
    expect(await field('ai', { ...aiSettings(), url: 'http://example.com/v1' })).toEqual(['settings.url'])
  })

  test('razorpay', async () => {
    const { keyId } = gateway.account
    const settings = { keyId, keySecret: 'wrong-secret', webhookSecret: 'webhook-secret' }
    expect(await field('razorpay', settings)).toEqual(['settings.keySecret'])
  })
})

describe('secrets', () => {
  test('are never returned', async () => {
    for (const [name, settings, shownSettings] of [
      ['shopify', shopifySettings, { accessToken: '****cdef', apiSecret: '****cdef' }],
      ['woocommerce', wooSettings(), { consumerKey: '****cdef', consumerSecret: '****cdef' }],
      ['ai', aiSettings(), { apiKey: '****cdef', model: 'small', dailyLimit: 50 }],
    ] as const) {
      const answer = await put(name, settings)
      expect(answer, answer.text).toMatchObject({
        status: 200,
        body: { integration: { settings: shownSettings } },
      })
      const list = await shop.get('/integrations')
      for (const { text } of [answer, list, await shop.get(`/integrations/${name}`)])
        expect(text).not.toContain('0123456789abcdef')
      // Settings can be written back as they were read, without loss.
      const { settings: read } = answer.body.integration
      expect((await put(name, read)).status).toBe(200)
    }
    const rows = await parley.system((tx) =>
      tx.sql<Body>('select settings, secrets_sealed from integrations where workspace_id = $1', [
        shop.workspaceId,
      ]),
    )
    expect(JSON.stringify(rows.map(({ settings }) => settings))).not.toContain('cdef')
    for (const { secretsSealed } of rows) expect(secretsSealed.toString('latin1')).not.toContain('0123')
  })

  test('are never sent to another address: a change of the address requires them again', async () => {
    for (const [name, settings, otherShop, secrets] of [
      ['shopify', shopifySettings, { shop: 'other.myshopify.com' }, ['accessToken', 'apiSecret']],
      ['woocommerce', wooSettings(), { url: `${shops.url}/slow` }, ['consumerKey', 'consumerSecret']],
      ['ai', aiSettings(), { url: `${shops.url}/v2` }, ['apiKey']],
    ] as const) {
      await put(name, settings)
      await waitFor('it has registered', async () => (await jobsLeft()) === 0)
      const { settings: shownSettings } = await get(name)
      const left = Object.fromEntries(
        Object.entries(settings).filter(([key]) => !secrets.includes(key as never)),
      )
      const before = shops.asked.length
      expect(await put(name, { ...left, ...otherShop })).toMatchObject({
        status: 400,
        body: { error: 'invalid' },
      })
      const sentHeaders = JSON.stringify(shops.asked.slice(before).map(({ headers }) => headers))
      expect(sentHeaders).not.toContain('0123456789abcdef')
      expect(sentHeaders).not.toContain(Buffer.from(`${WOO_KEY}:${WOO_SECRET}`).toString('base64'))
      expect(await get(name)).toMatchObject({ status: 'active', settings: shownSettings })
    }
  })

  test('DELETE deletes them', async () => {
    await put('ai', aiSettings())
    expect((await shop.delete('/integrations/ai')).body).toEqual({ ok: true, deleted: true })
    expect(await get('ai')).toMatchObject({ status: 'off', settings: {} })
    const rows = await parley.system((tx) =>
      tx.sql('select name from integrations where workspace_id = $1', [shop.workspaceId]),
    )
    expect(rows).toEqual([])
    expect(await put('ai', { ...aiSettings(), apiKey: undefined })).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'settings.apiKey' }] },
    })
  })

  test('the secret of an own shop is created if none is given, and shown once', async () => {
    const first = await put('orders', {})
    expect(first.body.secret).toMatch(/^[\w-]{43}$/)
    expect(first.body.integration.settings.secret).toBe(`****${first.body.secret.slice(-4)}`)
    const second = await put('orders', { createLeads: true })
    expect(second.body.secret).toBeUndefined()
    expect(second.body.integration).toMatchObject({
      intakeUrl: first.body.integration.intakeUrl,
      settings: { secret: `****${first.body.secret.slice(-4)}`, createLeads: true },
    })
  })

  test('two concurrent connects leave one address and one secret', async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => put('orders', {})))
    expect(new Set(answers.map(({ body }) => body.integration.intakeUrl)).size).toBe(1)
    expect(answers.filter(({ body }) => body.secret)).toHaveLength(1)
  })
})

describe('the assistant', () => {
  test('is found with its decrypted key, only if connected', async () => {
    const finding = {
      sealer: createSealer(SECRET_KEY),
      query: <Row>(text: string, values?: unknown[]) => parley.system((tx) => tx.sql<Row>(text, values)),
    }
    expect(await findAssistant(finding, shop.workspaceId)).toBeUndefined()
    await put('ai', aiSettings())
    expect(await findAssistant(finding, shop.workspaceId)).toEqual({ ...aiSettings(), forAgents: false })
  })
})

describe('razorpay', () => {
  test('is the gateway of payments, with the same stored settings', async () => {
    const { keyId, keySecret } = gateway.account
    const settings = { keyId, keySecret: keySecret.replaceAll(' ', '-'), webhookSecret: 'webhook-secret' }
    gateway.account.keySecret = settings.keySecret
    expect(await put('razorpay', settings)).toMatchObject({
      status: 200,
      body: {
        integration: {
          status: 'active',
          settings: { keyId, keySecret: '****cret', webhookSecret: '****cret' },
          intakeUrl: `${parley.config.siteUrl}/api/gateway/${shop.workspaceId}`,
        },
      },
    })
    const listGateways = () =>
      parley.system((tx) =>
        tx.sql('select provider, key_id from payment_gateways where workspace_id = $1', [shop.workspaceId]),
      )
    expect(await listGateways()).toEqual([{ provider: 'razorpay', keyId }])
    expect((await shop.delete('/integrations/razorpay')).body).toEqual({ ok: true, deleted: true })
    expect(await listGateways()).toEqual([])
    await shop.connectGateway()
    expect(await get('razorpay')).toMatchObject({ status: 'off' })
    expect((await shop.delete('/integrations/razorpay')).body).toEqual({ ok: true, deleted: false })
  })
})

const shopifyOrder = (more: Record<string, unknown> = {}) => ({
  id: 5_678_901_234_567,
  name: '#1001',
  created_at: '2026-06-01T09:30:00+05:30',
  updated_at: '2026-06-01T09:30:00+05:30',
  currency: 'INR',
  current_total_price: '2310.50',
  payment_gateway_names: ['Cash on Delivery (COD)'],
  phone: null,
  customer: { first_name: 'Asha', last_name: 'Rao', phone: null },
  shipping_address: { phone: '(415) 555-0100' },
  line_items: [{ quantity: 2 }, { quantity: 1 }],
  ...more,
})

const hmac = (body: string, secret: string) => createHmac('sha256', secret).update(body).digest('base64')

describe('shopify', () => {
  const connect = async (more: Record<string, unknown> = {}): Promise<Body> => {
    const answer = await put('shopify', { ...shopifySettings, ...more })
    expect(answer.status, answer.text).toBe(200)
    return answer.body.integration
  }
  const report = (
    integration: Body,
    topic: string,
    order: object,
    { secret = API_SECRET, headers = {} } = {},
  ) => {
    const body = JSON.stringify(order)
    return parley.anonymous.post(addressOf(integration), body, {
      headers: {
        'x-shopify-topic': topic,
        'x-shopify-hmac-sha256': hmac(body, secret),
        'x-shopify-webhook-id': randomUUID(),
        ...headers,
      },
    })
  }

  test("connecting reads the shop's identity and registers webhooks, once", async () => {
    const integration = await connect()
    expect(integration).toMatchObject({
      status: 'active',
      shopId: 'asha.myshopify.com',
      settings: { shop: 'asha.myshopify.com', country: 'US' },
    })
    const own = () => shops.hooks.filter((hook) => hook.delivery_url === integration.intakeUrl)
    await waitFor('all four topics are subscribed to', async () => own().length === 4)
    await connect({ createLeads: true })
    await waitFor('it has looked again', async () => (await jobsLeft()) === 0)
    expect(own()).toHaveLength(4)
  })

  test('an order fires order.event; national numbers get the shop’s country', async () => {
    const integration = await connect()
    expect((await report(integration, 'orders/create', shopifyOrder())).status).toBe(200)
    expect((await report(integration, 'orders/updated', shopifyOrder())).status).toBe(200)
    await deliveriesApplied(parley, shop.workspaceId)
    expect(await orderEvents(parley, shop.workspaceId)).toMatchObject([
      {
        type: 'order_placed',
        provider: 'shopify',
        shopId: 'asha.myshopify.com',
        reference: '#1001',
        phone: '+14155550100',
        customerName: 'Asha Rao',
        total: 2310.5,
        itemCount: 3,
        cashOnDelivery: true,
        occurredAt: '2026-06-01T04:00:00.000Z',
      },
    ])
  })

  test("an ignored report is listed with its reason, and its content isn't stored", async () => {
    const integration = await connect()
    expect((await report(integration, 'orders/updated', shopifyOrder())).status).toBe(200)
    expect((await report(integration, 'orders/create', {})).status).toBe(200)
    const answer = await shop.get('/integrations/shopify/deliveries')
    expect(answer.body.deliveries).toMatchObject([
      {
        topic: 'orders/create',
        status: 'ignored',
        reason: 'The order or the time is missing.',
        reference: null,
      },
      { topic: 'orders/updated', status: 'ignored', reason: expect.stringContaining('topic'), types: [] },
    ])
    const storedDeliveries = await parley.system((tx) =>
      tx.sql('select raw from shop_deliveries where workspace_id = $1', [shop.workspaceId]),
    )
    expect(storedDeliveries).toEqual([{ raw: null }, { raw: null }])
    expect(await orderEvents(parley, shop.workspaceId)).toEqual([])
  })

  test('a test notification and a test order are listed as tests and create no order', async () => {
    const integration = await connect()
    const headers = { 'x-shopify-test': 'true' }
    expect((await report(integration, 'orders/create', shopifyOrder(), { headers })).status).toBe(200)
    expect((await report(integration, 'orders/paid', shopifyOrder({ test: true }))).status).toBe(200)
    const forged = { secret: 'another', headers }
    expect((await report(integration, 'orders/create', shopifyOrder(), forged)).status).toBe(401)
    const { deliveries } = (await shop.get('/integrations/shopify/deliveries')).body
    expect(deliveries.map(({ status, reason }: Body) => [status, reason])).toEqual(
      [1, 2].map(() => ['ignored', "This is a test. Parley doesn't store it as an order."]),
    )
    expect((await shop.get('/orders')).body.orders).toEqual([])
    expect(await orderEvents(parley, shop.workspaceId)).toEqual([])
  })

  test('a report signed with another secret stores nothing', async () => {
    const integration = await connect()
    await waitFor('it has registered', async () => (await jobsLeft()) === 0)
    const before = await everythingOf(parley, shop.workspaceId)
    const answer = await report(integration, 'orders/create', shopifyOrder(), { secret: 'another' })
    expect(answer.status).toBe(401)
    expect(await everythingOf(parley, shop.workspaceId)).toEqual(before)
  })

  test('the answer about cash on delivery tags the order', async () => {
    const number = await connectNumber(parley, shop)
    const sendMessage = (message: object) =>
      number.report('messages', {
        messages: [
          {
            from: '14155550100',
            id: `wamid.${randomUUID()}`,
            timestamp: String(Math.floor(Date.now() / 1000)),
            ...message,
          },
        ],
      })
    await sendMessage({ type: 'text', text: { body: 'I have just ordered.' } })
    const integration = await connect({ cod: { enabled: true } })
    await report(integration, 'orders/create', shopifyOrder())
    const order = await until(async () => {
      const [found] = (await shop.get('/orders')).body.orders
      return found?.cod?.status === 'asked' ? found : undefined
    }, 'the customer is asked')
    const reply = { id: `cod:${order.id}:yes`, title: 'Yes' }
    await sendMessage({ type: 'interactive', interactive: { type: 'button_reply', button_reply: reply } })
    expect((await shop.get('/orders')).body.orders).toMatchObject([{ cod: { status: 'confirmed' } }])
    await waitFor('the order is tagged', async () =>
      shops.marks.some(
        ({ order, text }) => order === 'gid://shopify/Order/5678901234567' && text === 'COD confirmed',
      ),
    )
  })
})

describe('woocommerce', () => {
  const connect = async (url = shops.url): Promise<Body> => {
    const answer = await put('woocommerce', { ...wooSettings(), url })
    expect(answer.status, answer.text).toBe(200)
    return answer.body.integration
  }
  const hooksOf = ({ intakeUrl }: Body) => shops.hooks.filter((hook) => hook.delivery_url === intakeUrl)

  test('registers its webhooks with a separate secret, and its reports are accepted', async () => {
    const integration = await connect()
    expect(integration).toMatchObject({ shopId: new URL(shops.url).host, settings: { country: 'IN' } })
    await waitFor('both topics are subscribed to', async () => hooksOf(integration).length === 2)
    const [{ secret } = { secret: '' }] = hooksOf(integration)
    const body = JSON.stringify({
      id: 77,
      number: '1077',
      status: 'processing',
      currency: 'INR',
      total: '499.00',
      date_created_gmt: '2026-06-01T04:00:00',
      date_modified_gmt: '2026-06-01T04:00:05',
      date_paid_gmt: null,
      payment_method: 'cod',
      billing: { first_name: 'Asha', last_name: 'Rao', phone: '098123 45678' },
      line_items: [{ quantity: 1 }],
    })
    const headers = {
      'x-wc-webhook-topic': 'order.created',
      'x-wc-webhook-signature': hmac(body, secret!),
      'x-wc-webhook-delivery-id': randomUUID(),
    }
    expect((await parley.anonymous.post(addressOf(integration), body, { headers })).status).toBe(200)
    await deliveriesApplied(parley, shop.workspaceId)
    expect(await orderEvents(parley, shop.workspaceId)).toMatchObject([
      {
        type: 'order_placed',
        provider: 'woocommerce',
        reference: '1077',
        phone: '+919812345678',
        total: 499,
        cashOnDelivery: true,
      },
    ])
  })

  test('orders that change in one second share a delivery id, and none is lost; a repeat fires one event', async () => {
    const integration = await connect()
    await waitFor('both topics are subscribed to', async () => hooksOf(integration).length === 2)
    const [{ secret } = { secret: '' }] = hooksOf(integration)
    const report = (number: string) => {
      const body = JSON.stringify({
        id: Number(number),
        number,
        status: 'processing',
        date_created_gmt: '2026-06-01T04:00:00',
        date_modified_gmt: '2026-06-01T04:00:05',
      })
      return parley.anonymous.post(addressOf(integration), body, {
        headers: {
          'x-wc-webhook-topic': 'order.created',
          'x-wc-webhook-signature': hmac(body, secret!),
          'x-wc-webhook-delivery-id': '8f1d7c2b5a4e3f60',
        },
      })
    }
    for (const number of ['1078', '1079', '1078']) expect((await report(number)).status).toBe(200)
    await deliveriesApplied(parley, shop.workspaceId)
    const events = await orderEvents(parley, shop.workspaceId)
    expect(events.map(({ reference }) => reference)).toEqual(['1078', '1079'])
    const { deliveries } = (await shop.get('/integrations/woocommerce/deliveries')).body
    expect(deliveries.map(({ repeats }: Body) => repeats)).toEqual([0, 1])
  })

  test('a signed ping is listed as a test', async () => {
    const integration = await connect()
    await waitFor('both topics are subscribed to', async () => hooksOf(integration).length === 2)
    const [{ secret } = { secret: '' }] = hooksOf(integration)
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'x-wc-webhook-signature': hmac('webhook_id=12', secret!),
    }
    const answer = await parley.anonymous.post(addressOf(integration), 'webhook_id=12', { headers })
    expect(answer.status, answer.text).toBe(200)
    const { deliveries } = (await shop.get('/integrations/woocommerce/deliveries')).body
    expect(deliveries).toMatchObject([{ status: 'ignored', reason: expect.stringContaining('test') }])
  })

  test('its unsigned first ping returns 200 and stores nothing', async () => {
    const integration = await connect()
    await waitFor('it has registered', async () => (await jobsLeft()) === 0)
    const before = await rowCountsOf(parley, shop.workspaceId)
    const post = (body: string) =>
      parley.anonymous.post(addressOf(integration), body, {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
    expect((await post('webhook_id=12')).status).toBe(200)
    expect((await post('webhook_id=12&order=1')).status).toBe(401)
    expect((await parley.anonymous.post(addressOf(integration), {})).status).toBe(401)
    expect(await rowCountsOf(parley, shop.workspaceId)).toEqual(before)
  })

  test("a store that doesn't respond delays no other store", async () => {
    shops.hang(({ method, path }) => method === 'POST' && path.startsWith('/slow/'))
    const slow = await connect(`${shops.url}/slow`)
    await waitFor('the slow one is being asked', async () => shops.held.size > 0)
    const neighbor = await parley.workspace()
    const answer = await put('woocommerce', wooSettings(), neighbor)
    expect(answer.status, answer.text).toBe(200)
    await waitFor('the other one reports', async () => hooksOf(answer.body.integration).length === 2)
    expect(hooksOf(slow)).toEqual([])
  })
})

/** Returns how many jobs of the workspace wait or run. */
const jobsLeft = async (): Promise<number> =>
  parley.system(async (tx) => {
    const [row] = await tx.sql<{ jobs: number }>(
      'select count(*)::int as jobs from jobs where workspace_id = $1 and failed_at is null',
      [shop.workspaceId],
    )
    return row!.jobs
  })
