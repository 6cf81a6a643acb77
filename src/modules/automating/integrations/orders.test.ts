/** Tests of shops' reports about orders (spec 6.3 order.event, DECISIONS.md). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'
import { eventsOf, rowCountsOf } from '../../../../test/support/records.ts'
import {
  deliveriesApplied,
  newOrder,
  OWN_SECRET,
  type OwnShop,
  orderEvents,
  ownShop,
} from '../../../../test/support/shops.ts'
import { signatureOf } from '../../platform/webhooks/delivery/signing.ts'

let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  parley = await boot({ env: { PARLEY_TRUST_PROXY: '127.0.0.0/8' } })
})
afterAll(() => parley.close())

const ASHA = '+919812345678'

const events = async (): Promise<Body[]> => {
  await deliveriesApplied(parley, shop.workspaceId)
  return orderEvents(parley, shop.workspaceId)
}
const types = async (): Promise<string[]> => (await events()).map(({ type }) => type)
const orders = async (query = ''): Promise<Body[]> => (await shop.get(`/orders${query}`)).body.orders
const names = async (): Promise<string[]> =>
  (await eventsOf(parley, shop.workspaceId)).map(({ name }) => name)

describe('an own shop', () => {
  let own: OwnShop
  beforeEach(async () => {
    shop = await parley.workspace({ countryCode: '91' })
    own = await ownShop(parley, shop)
  })

  test('an order fires order.event with every field', async () => {
    const order = newOrder({ url: 'https://shop.example.com/orders/1', cashOnDelivery: true })
    expect(await own.report(order)).toMatchObject({ status: 200, body: { ok: true } })
    const [event] = await events()
    const [contact] = (await shop.get('/contacts')).body.contacts
    expect(event).toEqual({
      type: 'order_placed',
      provider: 'orders',
      shopId: 'own',
      reference: order.reference,
      contactId: contact.id,
      phone: ASHA,
      customerName: 'Asha Rao',
      total: 2310.5,
      currency: 'INR',
      url: 'https://shop.example.com/orders/1',
      itemCount: 2,
      cashOnDelivery: true,
      occurredAt: '2026-06-01T04:00:00.000Z',
    })
    const { type: _type, occurredAt, ...expected } = event
    expect(await orders()).toMatchObject([{ ...expected, status: 'placed', placedAt: occurredAt }])
    const { integration } = (await shop.get('/integrations/orders')).body
    expect(integration.lastEventAt).toEqual(expect.any(String))
  })

  test('the contact is created without events', async () => {
    await own.report(newOrder())
    await events()
    expect(await names()).toEqual(['order.event'])
    expect((await shop.get('/contacts')).body.contacts).toMatchObject([
      { phone: ASHA, displayName: 'Asha Rao' },
    ])
    expect((await shop.get('/leads')).body.total).toBe(0)
  })

  test('a changed byte stores nothing', async () => {
    const before = await rowCountsOf(parley, shop.workspaceId)
    const body = JSON.stringify(newOrder())
    const headers = own.sign(body)
    expect((await own.post(body.replace('2310.5', '2310.6'), headers)).status).toBe(401)
    expect((await own.post(body, { ...headers, 'x-webhook-timestamp': '1' })).status).toBe(401)
    expect((await own.post(body, {})).status).toBe(401)
    expect((await own.post(body, own.sign(body, Math.floor(Date.now() / 1000) - 400))).status).toBe(401)
    const otherPath = `${own.path.slice(0, -1)}${own.path.endsWith('A') ? 'Q' : 'A'}`
    expect((await parley.anonymous.post(otherPath, body, { headers })).status).toBe(401)
    expect(await rowCountsOf(parley, shop.workspaceId)).toEqual(before)
    expect((await own.post(body, headers)).status).toBe(200)
  })

  test('for 24 hours after a rotation the header carries two values, comma-separated; accept when any one matches (spec 6.2)', async () => {
    const post = async (secrets: string[], { separator = ',' } = {}) => {
      const body = JSON.stringify(newOrder())
      const timestamp = Math.floor(Date.now() / 1000)
      const headers = {
        'x-webhook-timestamp': String(timestamp),
        'x-webhook-signature': signatureOf(secrets, timestamp, body).replaceAll(',', separator),
      }
      return (await own.post(body, headers)).status
    }
    expect(await post(['the new secret', OWN_SECRET])).toBe(200)
    expect(await post([OWN_SECRET, 'the old secret'])).toBe(200)
    // Two headers with one name arrive like this.
    expect(await post(['the new secret', OWN_SECRET], { separator: ', ' })).toBe(200)
    expect(await types()).toHaveLength(3)
    const before = await rowCountsOf(parley, shop.workspaceId)
    expect(await post(['the new secret', 'the old secret'])).toBe(401)
    expect(await post([OWN_SECRET, 'the old secret'], { separator: ';' })).toBe(401)
    expect(await post([...Array<string>(4).fill('one of many'), OWN_SECRET])).toBe(401)
    expect(await post([...Array<string>(60).fill('one of many'), OWN_SECRET])).toBe(401)
    expect(await rowCountsOf(parley, shop.workspaceId)).toEqual(before)
  })

  test('a repeat fires one event, with the same delivery id and with another', async () => {
    const order = newOrder()
    const id = randomUUID()
    await Promise.all([own.report(order, { id }), own.report(order, { id }), own.report(order)])
    await own.report({ ...order, occurredAt: '2026-06-01T10:00:00Z' })
    expect(await types()).toEqual(['order_placed'])
    expect(await orders()).toHaveLength(1)
  })

  test('each type fires once', async () => {
    const order = newOrder()
    for (const type of ['order_placed', 'order_paid', 'order_shipped', 'order_paid'])
      await own.report({ ...order, type })
    expect(await types()).toEqual(['order_placed', 'order_paid', 'order_shipped'])
    expect(await orders()).toMatchObject([{ status: 'shipped' }])
  })

  test('a cancel before the create results in cancelled', async () => {
    const order = newOrder()
    await own.report({ ...order, type: 'order_cancelled', occurredAt: '2026-06-01T12:00:00Z', total: 99 })
    await own.report({ ...order, phone: '+919812345679', total: 100, cashOnDelivery: true })
    expect(await types()).toEqual(['order_cancelled', 'order_placed'])
    // Older reports only fill gaps.
    expect(await orders()).toMatchObject([
      { status: 'cancelled', total: 99, phone: ASHA, cashOnDelivery: true },
    ])
    expect((await events()).at(-1)).toMatchObject({ type: 'order_placed', cashOnDelivery: true })
  })

  test("another shop's order with the same number is a separate order", async () => {
    const order = newOrder()
    await own.report({ ...order, shopId: 'north' })
    await own.report({ ...order, shopId: 'south' })
    expect((await events()).map(({ shopId }) => shopId)).toEqual(['north', 'south'])
    expect(await orders(`?reference=${order.reference}`)).toHaveLength(2)
  })

  test('without a readable phone contactId is null', async () => {
    await own.report(newOrder({ phone: undefined }))
    await own.report(newOrder({ phone: 'call my office' }))
    expect(await events()).toMatchObject([
      { contactId: null, phone: null, customerName: 'Asha Rao' },
      { contactId: null, phone: null },
    ])
    expect((await shop.get('/contacts')).body.contacts).toEqual([])
  })

  test("national numbers get the shop's country, or the workspace's", async () => {
    await own.report(newOrder({ phone: '098123 45678' }))
    expect(await events()).toMatchObject([{ phone: ASHA }])
    own = await ownShop(parley, shop, { country: 'US' })
    await own.report(newOrder({ phone: '(415) 555-0100' }))
    expect((await events()).at(-1)).toMatchObject({ phone: '+14155550100' })
  })

  test("a national number gets the country next to it before the shop's", async () => {
    await own.report(newOrder({ phone: '3125550142', country_code: 'US' }))
    await own.report(newOrder({ phone: '312 555 0143', country: 'United States' }))
    expect(await events()).toMatchObject([{ phone: '+13125550142' }, { phone: '+13125550143' }])
  })

  test('an order with another spelling of a known number belongs to that contact', async () => {
    const { contact } = (await shop.post('/contacts', { phone: '+5511987650001' })).body
    await own.report(newOrder({ phone: '+551187650001' }))
    expect(await events()).toMatchObject([{ contactId: contact.id }])
  })

  test('createLeads creates leads via integration', async () => {
    own = await ownShop(parley, shop, { createLeads: true })
    const order = newOrder({ email: 'asha@example.com' })
    await own.report(order)
    await own.report({ ...order, type: 'order_paid' })
    await own.report(newOrder({ email: 'no address' }))
    await events()
    const allEvents = await eventsOf(parley, shop.workspaceId)
    expect(allEvents.find(({ name }) => name === 'lead.created')?.data).toMatchObject({
      via: 'integration',
      source: 'orders',
      lead: { name: 'Asha Rao', email: 'asha@example.com' },
    })
    expect(allEvents.filter(({ name }) => name === 'lead.recaptured')).toHaveLength(1)
    expect((await orders()).map(({ contactId }) => contactId)).not.toContain(null)
  })

  test("the body's bytes are verified, with any content type", async () => {
    for (const type of [
      'text/plain',
      'application/octet-stream',
      'application/json; charset=utf-8',
      undefined,
    ]) {
      const body = JSON.stringify(newOrder())
      const headers = { ...own.sign(body), ...(type === undefined ? {} : { 'content-type': type }) }
      const post = (bytes: string) => fetch(own.path, { method: 'POST', headers, body: Buffer.from(bytes) })
      expect((await post(body.replace('2310.5', '2310.6'))).status).toBe(401)
      expect((await post(body)).status).toBe(200)
    }
    expect(await types()).toHaveLength(4)
  })

  test('an unreadable order is rejected and not stored', async () => {
    const before = await rowCountsOf(parley, shop.workspaceId)
    expect(await own.report({ reference: 'A-1' })).toMatchObject({ status: 400, body: { error: 'invalid' } })
    expect(await own.post('[', own.sign('['))).toMatchObject({ status: 400, body: { error: 'invalid_json' } })
    const long = JSON.stringify(newOrder({ customerName: 'a'.repeat(1024 * 1024) }))
    expect((await own.post(long, own.sign(long))).status).toBe(413)
    expect(await rowCountsOf(parley, shop.workspaceId)).toEqual(before)
  })

  test('fields missing in a report stay unchanged; unknown fields are null', async () => {
    const { reference, occurredAt } = newOrder()
    await own.report(newOrder({ reference, cashOnDelivery: true }))
    await own.report({ type: 'order_paid', reference, occurredAt: '2026-06-01T10:00:00Z' })
    await own.report({ type: 'order_shipped', reference, occurredAt: '2026-06-02T10:00Z', itemCount: 1 })
    await own.report({ type: 'order_placed', reference: 'A-bare', occurredAt })
    const facts = (await events()).map((event) => [
      event.type,
      event.itemCount,
      event.cashOnDelivery,
      event.total,
    ])
    expect(facts).toEqual([
      ['order_placed', 2, true, 2310.5],
      ['order_paid', 2, true, 2310.5],
      ['order_shipped', 1, true, 2310.5],
      ['order_placed', null, false, null],
    ])
  })

  test('occurredAt requires an offset and a valid date', async () => {
    for (const occurredAt of ['2026-06-01T09:30:00', '2026-02-30T09:30:00Z', '2026-06-01', 1_780_000_000])
      expect(await own.report(newOrder({ occurredAt }))).toMatchObject({
        status: 400,
        body: { error: 'invalid' },
      })
    expect(await types()).toEqual([])
  })

  test("an order that can't be applied delays no other", async () => {
    const body = Buffer.from('{')
    await parley.system((tx) =>
      tx.sql(
        `insert into shop_deliveries (workspace_id, id, integration, provider, shop_id, delivery_id, topic, raw, run_at, received_at)
         values ($1, $2, 'orders', 'orders', 'own', 'broken', 'order', $3, $4, $4)`,
        [shop.workspaceId, randomUUID(), body, new Date()],
      ),
    )
    await own.report(newOrder())
    await expect.poll(() => orderEvents(parley, shop.workspaceId), { timeout: 60_000 }).toHaveLength(1)
  })

  test("erasing the contact keeps the order's number, and a later report links no contact", async () => {
    const order = newOrder()
    await own.report(order)
    await events()
    expect((await shop.delete(`/contacts/${ASHA}`)).status).toBe(200)
    expect(await orders()).toMatchObject([
      { reference: order.reference, contactId: null, phone: null, customerName: null, total: 2310.5 },
    ])
    await own.report({ ...order, type: 'order_shipped' })
    expect((await events()).at(-1)).toMatchObject({ type: 'order_shipped', contactId: null, phone: null })
    expect((await shop.get('/contacts')).body.contacts).toEqual([])
  })

  test('past the contact limit an order is stored without a contact, and is erased with its number', async () => {
    await shop.set({ contactLimit: 0 })
    await own.report(newOrder())
    expect(await events()).toMatchObject([{ contactId: null, phone: ASHA }])
    await shop.set({ contactLimit: 10 })
    expect((await shop.post('/contacts', { phone: ASHA })).status).toBe(201)
    expect((await shop.delete(`/contacts/${ASHA}`)).status).toBe(200)
    expect(await orders()).toMatchObject([{ phone: null, customerName: null, total: 2310.5 }])
  })

  test('orders are listed by contact and by reference', async () => {
    const order = newOrder()
    await own.report(order)
    await own.report(newOrder({ phone: '+919812345679' }))
    await events()
    expect(await orders(`?contactId=${encodeURIComponent(ASHA)}`)).toMatchObject([
      { reference: order.reference },
    ])
    expect(await orders('?contactId=%2B919812345670')).toEqual([])
    expect(await orders('?reference=nothing')).toEqual([])
    const { nextCursor } = (await shop.get('/orders?limit=1')).body
    expect(await orders(`?limit=1&cursor=${nextCursor}`)).toMatchObject([{ reference: order.reference }])
  })

  test('after disconnecting, reports are rejected and earlier reports are applied', async () => {
    expect((await shop.delete('/integrations/orders')).body).toEqual({ ok: true, deleted: true })
    expect((await own.report(newOrder())).status).toBe(401)
    expect((await shop.delete('/integrations/orders')).body).toEqual({ ok: true, deleted: false })
  })
})

describe('simulated shops', () => {
  beforeEach(async () => {
    shop = await parley.workspace({ sandbox: true })
  })
  const simulate = (more: Record<string, unknown> = {}) =>
    shop.post('/sandbox/simulate', {
      kind: 'order',
      store: 'shopify',
      type: 'order_placed',
      reference: '#1001',
      from: ASHA,
      ...more,
    })

  test.each([
    ['shopify', 'simulated.myshopify.com'],
    ['woocommerce', 'shop.simulated.example'],
  ])('%s reports orders in its own format', async (store, shopId) => {
    for (const type of ['order_placed', 'order_paid', 'order_shipped', 'order_cancelled'])
      expect(await simulate({ store, type, cod: true })).toMatchObject({
        status: 202,
        body: { ok: true, reference: '#1001' },
      })
    expect(await events()).toMatchObject(
      ['order_placed', 'order_paid', 'order_shipped', 'order_cancelled'].map((type) => ({
        type,
        provider: store,
        shopId,
        reference: '#1001',
        phone: ASHA,
        customerName: 'Asha Rao',
        total: 2310,
        currency: 'INR',
        itemCount: 1,
        cashOnDelivery: true,
      })),
    )
  })

  test('an order with the same number in the other shop is a separate order', async () => {
    await simulate()
    await simulate({ store: 'woocommerce' })
    await simulate()
    expect((await events()).map(({ provider }) => provider)).toEqual(['shopify', 'woocommerce'])
  })

  test('an unanswered call, a payment and an answer to a review request use the normal intake', async () => {
    const call = await shop.post('/sandbox/simulate', { kind: 'call', from: ASHA })
    expect(call).toMatchObject({ status: 202, body: { ok: true, callId: expect.any(String) } })
    await shop.advance(1)
    const missed = (await eventsOf(parley, shop.workspaceId)).find(({ name }) => name === 'call.missed')
    expect(missed?.data).toMatchObject({ callId: call.body.callId, phone: ASHA })
    const nothing = randomUUID()
    for (const body of [
      { kind: 'review', request: nothing, rating: 5 },
      { kind: 'payment', request: nothing },
    ])
      expect((await shop.post('/sandbox/simulate', body)).status).toBe(404)
  })
})
