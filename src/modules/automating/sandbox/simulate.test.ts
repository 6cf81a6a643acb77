/** Simulated facts in a sandbox (src/modules/automating/integrations/DECISIONS.md, docs/running.md). */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'
import { order } from '../../../../test/support/payments.ts'
import { eventsOf } from '../../../../test/support/records.ts'
import { paidInvoice } from '../../../../test/support/reviews.ts'
import { until } from '../../../../test/support/until.ts'

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
const simulate = (body: object) => shop.post('/sandbox/simulate', body)
const dataOf = (name: string) =>
  until(
    async () => (await eventsOf(parley, shop.workspaceId)).find((event) => event.name === name)?.data,
    `${name} is announced`,
  )

test('a customer pays at the simulated gateway; nothing is paid without a command', async () => {
  await shop.inbound(ASHA, 'I take two.')
  const { paymentRequest } = (await shop.post('/payment-requests', order({ to: ASHA }))).body
  await shop.advance(60)
  expect((await shop.get(`/payment-requests/${paymentRequest.id}`)).body.paymentRequest.paidAt).toBeNull()
  expect(
    await simulate({ kind: 'payment', request: paymentRequest.referenceId, method: 'upi' }),
  ).toMatchObject({
    status: 202,
    body: { ok: true, paymentRequestId: paymentRequest.id },
  })
  expect(await dataOf('payment.paid')).toMatchObject({
    paymentRequestId: paymentRequest.id,
    paymentMethod: 'upi',
  })
})

test('a customer answers a review request, once', async () => {
  await shop.set({ modules: ['invoicing', 'reviews'] })
  const { id: subjectId } = await paidInvoice(shop)
  const requested = await shop.post('/review-requests', { about: 'invoice', subjectId, via: 'link' })
  const body = { kind: 'review', request: requested.body.reviewRequest.id, rating: 4, comment: 'Fits.' }
  const answer = await simulate(body)
  expect(answer).toMatchObject({ status: 202, body: { reviewId: expect.any(String) } })
  const { reviewId } = answer.body
  expect(await dataOf('review.received')).toMatchObject({ reviewId, rating: 4, comment: 'Fits.' })
  expect((await simulate(body)).status).toBe(409)
})

test('module off: 404, without an answer or event', async () => {
  await shop.set({ modules: ['invoicing', 'reviews'] })
  const { id: subjectId } = await paidInvoice(shop)
  const requested = await shop.post('/review-requests', { about: 'invoice', subjectId, via: 'link' })
  await shop.set({ modules: ['invoicing'] })
  const answer = await simulate({ kind: 'review', request: requested.body.reviewRequest.id, rating: 4 })
  expect(answer).toMatchObject({ status: 404, body: { error: 'not_available' } })
  const names = (await eventsOf(parley, shop.workspaceId)).map(({ name }) => name)
  expect(names).not.toContain('review.received')
})

test('later reports of an order keep the fields of the first, unless they change them', async () => {
  const report = async (more: object) => {
    const order = { kind: 'order', store: 'shopify', reference: '#1001', from: ASHA, ...more }
    expect(await simulate(order)).toMatchObject({ status: 202 })
    await shop.advance(5)
  }
  const events = async () =>
    (await eventsOf(parley, shop.workspaceId)).filter((event) => event.name === 'order.event')
  await report({ type: 'order_placed', name: 'Ravi Menon', total: 499.5, cod: true })
  await report({ type: 'order_paid' })
  await report({ type: 'order_cancelled' })
  const [placedOrder, ...later] = (await events()).map(({ data }) => data)
  expect(placedOrder).toMatchObject({ total: 499.5, cashOnDelivery: true, customerName: 'Ravi Menon' })
  const occurredAt = expect.any(String)
  expect(later).toEqual([
    { ...placedOrder, type: 'order_paid', occurredAt },
    { ...placedOrder, type: 'order_cancelled', occurredAt },
  ])
  const [order] = (await shop.get('/orders')).body.orders
  expect(order).toMatchObject({ total: 499.5, cashOnDelivery: true, customerName: 'Ravi Menon' })
  await report({ type: 'order_shipped', total: 700, cod: false })
  expect((await events()).at(-1)!.data).toMatchObject({ total: 700, cashOnDelivery: false })
})

test('each kind takes its own fields, and a retry with the same key is one fact', async () => {
  expect(await simulate({ kind: 'call', from: ASHA, rating: 4 })).toMatchObject({
    status: 400,
    body: { issues: [{ path: 'rating' }] },
  })
  expect(await simulate({ kind: 'order', store: 'shopify' })).toMatchObject({
    status: 400,
    body: { issues: [{ path: 'type' }, { path: 'reference' }, { path: 'from' }] },
  })
  const send = () =>
    shop.post('/sandbox/simulate', { kind: 'call', from: ASHA }, { idempotencyKey: 'one call' })
  const answers = [await send(), await send()]
  expect(new Set(answers.map(({ body }) => body.callId)).size).toBe(1)
  await shop.advance(1)
  const calls = (await eventsOf(parley, shop.workspaceId)).filter(({ name }) => name === 'call.missed')
  expect(calls).toHaveLength(1)
})

test('outside a sandbox the endpoint does not exist', async () => {
  shop = await parley.workspace()
  expect(await simulate({ kind: 'call', from: ASHA })).toMatchObject({
    status: 404,
    body: { error: 'not_found' },
  })
})
