/** `parley simulate order|call|customer|review` (docs/running.md). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { digitsOf } from '../../src/core/values/phone.ts'
import { type Body, boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { runParley } from '../support/command-line.ts'
import { connectNumber } from '../support/operator-webhooks.ts'
import { commandEnv } from '../support/payments.ts'
import { eventsOf } from '../support/records.ts'
import { paidInvoice } from '../support/reviews.ts'
import { orderEvents } from '../support/shops.ts'
import { type StandInShops, startShops, WOO_KEY, WOO_SECRET } from '../support/stand-in-shops.ts'
import { until } from '../support/until.ts'

let parley: TestParley
let shop: TestWorkspace
let shops: StandInShops
beforeAll(async () => {
  shops = await startShops()
  parley = await boot({ env: shops.env })
})
afterAll(async () => {
  await parley.close()
  await shops.stop()
})
beforeEach(async () => {
  shop = await parley.workspace({ sandbox: true })
})

const ASHA = '+919812345678'
const run = (...words: string[]) =>
  runParley(['simulate', ...words, '--workspace', shop.workspaceId, '--json'], commandEnv(parley))
async function answerOf(...words: string[]): Promise<Body> {
  const { code, stdout, stderr } = await run(...words)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}
const event = (name: string) =>
  until(
    async () => (await eventsOf(parley, shop.workspaceId)).find((candidate) => candidate.name === name)?.data,
    `${name} is announced`,
  )

test('simulate order: a simulated store reports an order, and it is applied when the command ends', async () => {
  const order = (...more: string[]) =>
    answerOf('order', '--reference', '#1001', '--from', '98123 45678', ...more)
  expect(await order('--store', 'shopify', '--type', 'order_placed', '--cod')).toEqual({ reference: '#1001' })
  await order('--store', 'woocommerce', '--type', 'order_paid')
  await order('--store', 'shopify', '--type', 'order_placed')
  expect(await orderEvents(parley, shop.workspaceId)).toMatchObject([
    { type: 'order_placed', provider: 'shopify', reference: '#1001', phone: ASHA, cashOnDelivery: true },
    { type: 'order_paid', provider: 'woocommerce', reference: '#1001', phone: ASHA, cashOnDelivery: false },
  ])
})

const cashOrder = (store: string) => {
  const words = ['order', '--store', store, '--type', 'order_placed', '--reference', '#1001', '--from', ASHA]
  return [...words, '--cod']
}

describe('simulate order in a workspace that is not a sandbox', () => {
  beforeEach(async () => {
    shop = await parley.workspace()
  })

  test('a simulated number has the simulated shops: order.event and order.cod_response are sent', async () => {
    const number = await connectNumber(parley, shop, { operator: 'simulator' })
    const writeMessage = (text: string) =>
      number.report('messages', {
        contacts: [{ profile: { name: 'Asha' }, wa_id: digitsOf(ASHA) }],
        messages: [
          {
            from: digitsOf(ASHA),
            id: `wamid.${randomUUID()}`,
            timestamp: String(Math.floor(Date.now() / 1000)),
            type: 'text',
            text: { body: text },
          },
        ],
      })
    const settings = { cod: { enabled: true } }
    expect((await shop.call('PUT', '/integrations/simulator', { settings })).status).toBe(200)
    expect((await shop.get('/integrations')).body.integrations).toContainEqual(
      expect.objectContaining({ name: 'simulator', status: 'active' }),
    )
    await writeMessage('I have just ordered.')
    expect(await answerOf(...cashOrder('woocommerce'))).toEqual({ reference: '#1001' })
    expect(await event('order.event')).toMatchObject({ provider: 'woocommerce', reference: '#1001' })
    const [order] = (await shop.get('/orders')).body.orders
    expect(order.cod.status, 'they are asked at once').toBe('asked')
    await writeMessage('yes')
    expect(await event('order.cod_response')).toMatchObject({ reference: '#1001', confirmed: true })
  })

  test('without a simulated number it names the next step', async () => {
    const { code, stderr } = await run(...cashOrder('shopify'))
    expect(code).toBe(1)
    expect(stderr).toContain('has no simulated number')
  })

  test('next to a real shop of that kind nothing is reported', async () => {
    await connectNumber(parley, shop, { operator: 'simulator' })
    const { url } = shops
    const settings = { url, consumerKey: WOO_KEY, consumerSecret: WOO_SECRET }
    expect((await shop.call('PUT', '/integrations/woocommerce', { settings })).status).toBe(200)
    const { code, stderr } = await run(...cashOrder('woocommerce'))
    expect(code).toBe(1)
    expect(stderr).toContain('real shop')
    expect((await shop.get('/orders')).body.orders).toEqual([])
    expect(await answerOf(...cashOrder('shopify'))).toEqual({ reference: '#1001' })
  })
})

test("simulate call: a customer's call was missed when the command ends", async () => {
  const called = await answerOf('call', '--from', ASHA)
  expect(called).toEqual({ callId: expect.any(String) })
  expect(await eventsOf(parley, shop.workspaceId)).toContainEqual(
    expect.objectContaining({
      name: 'call.missed',
      data: expect.objectContaining({ ...called, phone: ASHA }),
    }),
  )
})

test('simulate customer: a customer without a number has messaged, and can be answered, when the command ends', async () => {
  const written = await answerOf('customer', '--user-id', 'IN.42', '--username', 'asha', '--text', 'Hello')
  expect(written).toEqual({ messageId: expect.any(String), from: 'chan:IN.42' })
  expect((await shop.get(`/messages/${written.messageId}`)).status).toBe(200)
  expect((await shop.post('/send', { to: written.from, type: 'text', text: 'Yes?' })).status).toBe(200)
  expect(await event('message.received')).toMatchObject({
    messageId: written.messageId,
    contact: { userId: 'IN.42', username: 'asha' },
  })
})

test.each([
  ['call', '--from', ASHA],
  ['customer', '--user-id', 'IN.42', '--text', 'Hello'],
])('simulate %s in a workspace without a simulated number names the next step', async (...words) => {
  shop = await parley.workspace()
  const { code, stderr } = await run(...words)
  expect(code).toBe(1)
  expect(stderr).toContain('This workspace has no simulated number.')
})

test('simulate review: the customer answers a review request', async () => {
  await shop.set({ modules: ['invoicing', 'reviews'] })
  const { id: subjectId } = await paidInvoice(shop)
  const response = await shop.post('/review-requests', { about: 'invoice', subjectId, via: 'link' })
  const { reviewRequest } = response.body
  const words = ['review', '--request', reviewRequest.id, '--rating', '2', '--comment', 'Late.']
  const { reviewId } = await answerOf(...words)
  expect(await event('review.received')).toMatchObject({ reviewId, rating: 2, comment: 'Late.', low: true })
  expect((await run(...words)).code).toBe(1)
})
