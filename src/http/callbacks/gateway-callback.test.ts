/**
 * The callback of payment gateways: verified over raw bytes, stored, and answered; applied by background
 * work.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { boot, type TestParley } from '../../../test/support/boot.ts'
import {
  gatewayApplied,
  gatewayPost,
  order,
  payingShop,
  paymentEvent,
  quietOperator,
  realShop,
} from '../../../test/support/payments.ts'
import { type StandInGateway, startGateway } from '../../../test/support/stand-in-gateway.ts'
import { until } from '../../../test/support/until.ts'
import type { StandaloneSimulator } from '../../operator/simulator/standalone/start.ts'
import { signGatewayWebhook } from '../../payment-gateway/razorpay/signature.ts'

let parley: TestParley
let operator: StandaloneSimulator
let gateway: StandInGateway
beforeAll(async () => {
  operator = await quietOperator()
  gateway = await startGateway()
  parley = await boot({ env: { PARLEY_OPERATOR_URL: operator.url, PARLEY_RAZORPAY_URL: gateway.apiUrl } })
})
afterAll(async () => {
  await parley.close()
  await gateway.stop()
  await operator.close()
})

const stored = (workspaceId: string) =>
  parley.system((tx) =>
    tx.sql<{ eventId: string; raw: Buffer | null; failedAt: Date | null; lastError: string | null }>(
      'select event_id, raw, failed_at, last_error from gateway_posts where workspace_id = $1 order by id',
      [workspaceId],
    ),
  )

test('a report without a valid signature by the webhook secret is 403, and nothing is stored', async () => {
  const { shop } = await realShop(parley, operator)
  const text = JSON.stringify(paymentEvent('payment_link.paid', { requestId: 'x' }))
  const address = `/api/gateway/${shop.workspaceId}`
  const signed = (header: string | undefined, body = text, path = address) =>
    parley.anonymous.post(path, body, {
      headers: header === undefined ? {} : { 'x-razorpay-signature': header },
    })
  const right = signGatewayWebhook(text, 'webhook secret')
  const without = await parley.workspace()
  const answers = [
    await signed(undefined),
    await signed(''),
    await signed('nonsense'),
    await signed(signGatewayWebhook(text, 'another secret')),
    await signed(right, `${text} `),
    await signed(right, text, `/api/gateway/${without.workspaceId}`),
    await signed(right, text, '/api/gateway/01970f3e-8a6b-7c1d-9e2f-3a4b5c6d7e8f'),
    await signed(right, text, '/api/gateway/nobody'),
  ]
  for (const answer of answers) expect(answer).toMatchObject({ status: 403, body: { error: 'forbidden' } })
  expect(await stored(shop.workspaceId)).toEqual([])
  expect(await signed(right)).toMatchObject({ status: 200, body: { ok: true } })
})

test('the signature covers the exact bytes, in any JSON formatting', async () => {
  const opened = await realShop(parley, operator)
  const { id } = await opened.asked()
  const text = JSON.stringify(paymentEvent('payment_link.paid', { requestId: id }), null, 3).replace(
    'upi',
    '\\u0075pi',
  )
  expect(await gatewayPost(parley, opened.shop, text)).toMatchObject({ status: 200 })
  await gatewayApplied(parley, opened.shop)
  expect(await opened.find(id)).toMatchObject({ status: 'paid', paymentMethod: 'upi' })
})

test('a repeated report is found by its event ID, or by its bytes without an ID, and its bytes are deleted', async () => {
  const opened = await realShop(parley, operator)
  const { id } = await opened.asked()
  const body = paymentEvent('payment_link.paid', { requestId: id })
  for (let i = 0; i < 3; i++) await gatewayPost(parley, opened.shop, body, { eventId: 'evt 1' })
  for (let i = 0; i < 3; i++) await gatewayPost(parley, opened.shop, body, { eventId: '' })
  await gatewayApplied(parley, opened.shop)
  for (let i = 0; i < 3; i++) await gatewayPost(parley, opened.shop, body, { eventId: 'evt 1' })
  await gatewayApplied(parley, opened.shop)
  const rows = await stored(opened.shop.workspaceId)
  expect(rows.map(({ eventId }) => eventId)).toEqual(['evt 1', expect.stringMatching(/^[0-9a-f]{64}$/)])
  expect(rows.map(({ raw }) => raw)).toEqual([null, null])
  expect(await opened.paidEvents()).toHaveLength(1)
})

test("a signed report that isn't JSON is set aside; a report that arrives with it is applied", async () => {
  const opened = await realShop(parley, operator)
  const { id } = await opened.asked()
  const [broken, good] = await Promise.all([
    gatewayPost(parley, opened.shop, '{"event":', { eventId: 'broken' }),
    gatewayPost(parley, opened.shop, paymentEvent('payment_link.paid', { requestId: id }), {
      eventId: 'good',
    }),
  ])
  expect([broken!.status, good!.status]).toEqual([200, 200])
  await gatewayApplied(parley, opened.shop)
  expect((await opened.find(id)).status).toBe('paid')
  const row = (await stored(opened.shop.workspaceId)).find((row) => row.eventId === 'broken')
  expect(row).toMatchObject({ lastError: "The body isn't valid JSON.", failedAt: expect.any(Date) })
})

test('a body over 256 KB is 413', async () => {
  const { shop } = await realShop(parley, operator)
  const answer = await gatewayPost(parley, shop, { event: 'x', pad: 'x'.repeat(256 * 1024) })
  expect(answer).toMatchObject({ status: 413, body: { error: 'payload_too_large' } })
})

test('a report is answered before it is applied: a locked payment request delays only its own report', async () => {
  const opened = await realShop(parley, operator)
  const { id } = await opened.asked()
  const release = Promise.withResolvers<void>()
  const inHand = Promise.withResolvers<void>()
  const held = parley.system(async (tx) => {
    await tx.sql('select id from payment_requests where id = $1 for update', [id])
    inHand.resolve()
    await release.promise
  })
  await inHand.promise
  expect(
    await gatewayPost(parley, opened.shop, paymentEvent('payment_link.paid', { requestId: id })),
  ).toMatchObject({ status: 200 })
  expect((await opened.find(id)).status).not.toBe('paid')
  release.resolve()
  await held
  await gatewayApplied(parley, opened.shop)
  expect((await opened.find(id)).status).toBe('paid')
})

test('the gateway of a real workspace reports payments in webhooks, shuffled and duplicated', async () => {
  const opened = await realShop(parley, operator)
  gateway.set({
    callbackUrl: `${parley.url}/api/gateway/${opened.shop.workspaceId}`,
    shuffle: true,
    duplicate: 1,
  })
  const requests = await Promise.all(Array.from({ length: 5 }, () => opened.asked()))
  for (const { id } of requests) await gateway.pay({ reference: id, fail: true })
  for (const { id } of requests) await gateway.pay({ reference: id })
  await until(async () => (await opened.paidEvents()).length === 5, 'all requests are paid')
  for (const { id } of requests) expect((await opened.find(id)).status).toBe('paid')
  gateway.set({ callbackUrl: null, shuffle: false, duplicate: 0 })
})

test('a simulated gateway reports without a callback, and the callback refuses a report for it', async () => {
  const { shop, phone } = await payingShop(parley)
  const { paymentRequest } = (await shop.post('/payment-requests', order({ to: phone }))).body
  const answer = await gatewayPost(
    parley,
    shop,
    paymentEvent('payment_link.paid', { requestId: paymentRequest.id }),
  )
  expect(answer.status).toBe(403)
})
