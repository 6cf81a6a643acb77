/** `parley simulate order|call|customer|review` (docs/running.md). */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { runParley } from '../support/command-line.ts'
import { commandEnv } from '../support/payments.ts'
import { eventsOf } from '../support/records.ts'
import { paidInvoice } from '../support/reviews.ts'
import { orderEvents } from '../support/shops.ts'
import { until } from '../support/until.ts'

let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley.close())
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
    async () => (await eventsOf(parley, shop.workspaceId)).find((one) => one.name === name)?.data,
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

test('simulate order in a workspace that is no sandbox says what to do', async () => {
  shop = await parley.workspace()
  const words = ['order', '--store', 'shopify', '--type', 'order_placed', '--reference', '1', '--from', ASHA]
  const { code, stderr } = await run(...words)
  expect(code).toBe(1)
  expect(stderr).toContain('--sandbox')
})

test('simulate call: a customer calls and nobody answers', async () => {
  const { callId } = await answerOf('call', '--from', ASHA)
  expect(await event('call.missed')).toMatchObject({ callId, phone: ASHA })
})

test('simulate customer: one without a number writes', async () => {
  const written = await answerOf('customer', '--user-id', 'IN.42', '--username', 'asha', '--text', 'Hello')
  expect(written).toEqual({ messageId: expect.any(String), from: 'chan:IN.42' })
  expect(await event('message.received')).toMatchObject({
    messageId: written.messageId,
    contact: { userId: 'IN.42', username: 'asha' },
  })
})

test('simulate review: the customer answers a review request', async () => {
  await shop.set({ modules: ['invoicing', 'reviews'] })
  const { id: subjectId } = await paidInvoice(shop)
  const asked = await shop.post('/review-requests', { about: 'invoice', subjectId, via: 'link' })
  const { reviewRequest } = asked.body
  const words = ['review', '--request', reviewRequest.id, '--rating', '2', '--comment', 'Late.']
  const { reviewId } = await answerOf(...words)
  expect(await event('review.received')).toMatchObject({ reviewId, rating: 2, comment: 'Late.', low: true })
  expect((await run(...words)).code).toBe(1)
})
