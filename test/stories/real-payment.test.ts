/**
 * A payment with a real number and a real gateway, both played like `parley simulator` plays them, including
 * keys and webhooks.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSealer } from '../../src/core/sealing.ts'
import { addPhoneNumber } from '../../src/modules/platform/workspaces/operations/phone-numbers.ts'
import {
  type StandaloneSimulator,
  startStandaloneSimulator,
} from '../../src/operator/simulator/standalone/start.ts'
import {
  openStandaloneGateway,
  type StandaloneGateway,
} from '../../src/payment-gateway/simulator/standalone.ts'
import { type Body, boot, SECRET_KEY, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { gatewayApplied, order, RAZORPAY, requestWhen } from '../support/payments.ts'
import { until } from '../support/until.ts'

const number = {
  operatorId: '106540352242922',
  accountId: '102290129340398',
  token: 'operator-token',
  displayNumber: '919000000001',
}
const appSecret = 'app-secret-of-the-business'
const phone = '+919812345678'
let operator: StandaloneSimulator
let gateway: StandaloneGateway
let parley: TestParley
let shop: TestWorkspace

beforeAll(async () => {
  gateway = openStandaloneGateway({
    account: { id: 'acc_1', ...RAZORPAY },
    settings: { shuffle: true, duplicate: 1 },
  })
  operator = await startStandaloneSimulator({
    host: '127.0.0.1',
    port: 0,
    numbers: [{ ...number }],
    appSecret,
    settings: {
      receipts: { sentMs: 0, deliveredMs: 0, readMs: 0 },
      webhooks: { shuffle: true, duplicate: 1 },
    },
    beside: [gateway],
    payAtGateway: async (request, { paise, method, outcome }) => {
      const paid = await gateway.payInChat(request, { paise, method, fail: outcome === 'failed' })
      return { orderId: paid.order.id, paymentId: paid.payment.id }
    },
  })
  parley = await boot({
    env: { PARLEY_OPERATOR_URL: operator.url, PARLEY_RAZORPAY_URL: `${operator.url}/gateway/v1` },
  })
  shop = await parley.workspace()
  await parley.system((tx) =>
    addPhoneNumber(
      tx,
      {
        workspaceId: shop.workspaceId,
        number: `+${number.displayNumber}`,
        operator: 'cloud',
        accountId: number.accountId,
        operatorId: number.operatorId,
        token: number.token,
        appSecret,
        verifyToken: 'handshake',
      },
      new Date(),
      createSealer(SECRET_KEY),
    ),
  )
  operator.set({ callbackUrl: `${parley.url}/api/operator/${shop.workspaceId}` })
  gateway.set({ callbackUrl: `${parley.url}/api/gateway/${shop.workspaceId}` })
  await control('/_simulator/inbound', { from: phone.slice(1), name: 'Asha', text: 'I take two.' })
  await until(async () => (await shop.get('/conversations')).body.conversations.length === 1, 'Asha wrote')
  await shop.post('/leads', { phone, name: 'Asha Rao' })
})
afterAll(async () => {
  await parley.close()
  gateway.close()
  await operator.close()
})

/** Sends a control call with the settings of each of the two. */
async function control(path: string, body: object): Promise<{ status: number; body: Body }> {
  const basic = Buffer.from(`${RAZORPAY.keyId}:${RAZORPAY.keySecret}`).toString('base64')
  const answer = await fetch(`${operator.url}${path}`, {
    method: 'POST',
    headers: {
      authorization: path.startsWith('/gateway') ? `Basic ${basic}` : `Bearer ${number.token}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  })
  return { status: answer.status, body: await answer.json() }
}
const requestPayment = async (): Promise<Body> => {
  const { body } = await shop.post('/payment-requests', order({ to: phone }))
  const { id } = body.paymentRequest
  return requestWhen(shop, id, ({ status }) => status === 'sent', 'it is sent')
}
const waitUntilPaid = (id: string) => requestWhen(shop, id, ({ status }) => status === 'paid', 'it is paid')
/** Waits until every webhook has arrived and is applied, the gateway's `events` twice each. */
const waitUntilSettled = async (events: number): Promise<void> => {
  await until(() => gateway.webhooks().posted === 2 * events, 'the webhooks of the gateway have arrived')
  await until(
    () => operator.store.postbox.counts().waiting === 0,
    'the webhooks of the operator have arrived',
  )
  await gatewayApplied(parley, shop)
}
const readTotals = async () => ({
  paidTotal: (await shop.get(`/leads/${phone}`)).body.lead.paidTotal as number,
  events: (await shop.get('/events?limit=100')).body.events.filter(
    (event: Body) => event.event === 'payment.paid',
  ).length as number,
})

test('by a payment link: a failed attempt, then the payment, reported by shuffled and repeated webhooks', async () => {
  await shop.connectGateway({ provider: 'razorpay', ...RAZORPAY })
  const request = await requestPayment()
  const pay = (more: object) => control('/gateway/_simulator/payments', { reference: request.id, ...more })
  expect(await pay({ fail: true })).toMatchObject({ status: 200, body: { status: 'failed' } })
  await requestWhen(shop, request.id, ({ status }) => status === 'failed', 'the attempt is shown')
  expect(await pay({ method: 'card' })).toMatchObject({ status: 200, body: { status: 'captured' } })
  expect(await waitUntilPaid(request.id)).toMatchObject({ paidPaise: 48_000, paymentMethod: 'card' })
  await waitUntilSettled(3)
  expect(await readTotals()).toEqual({ paidTotal: 480, events: 1 })
})

test('through a payment configuration: reported by the operator and by the gateway, counted once', async () => {
  await shop.connectGateway({ provider: 'razorpay', ...RAZORPAY, configuration: 'shop-rzp' })
  const { id, referenceId } = await requestPayment()
  const pay = (more: object) => control('/_simulator/payments', { reference: referenceId, ...more })
  expect(await pay({ outcome: 'pending' })).toMatchObject({ status: 200, body: { status: 'pending' } })
  expect(await pay({ outcome: 'failed' })).toMatchObject({ status: 200, body: { status: 'pending' } })
  await requestWhen(shop, id, ({ status }) => status === 'failed', 'the attempt is shown')
  expect(await pay({ method: 'netbanking' })).toMatchObject({ status: 200, body: { status: 'captured' } })
  const request = await waitUntilPaid(id)
  expect(request).toMatchObject({ paymentMethod: 'netbanking', furtherPayments: [] })
  await waitUntilSettled(6)
  expect(await readTotals()).toEqual({ paidTotal: 960, events: 2 })
  expect((await shop.get(`/payment-requests/${id}`)).body.paymentRequest).toEqual(request)
})

test('the control calls return clear errors', async () => {
  expect(await control('/_simulator/payments', { reference: 'nothing' })).toMatchObject({ status: 404 })
  expect(await control('/gateway/_simulator/payments', { link: 'plink_nothing' })).toMatchObject({
    status: 404,
  })
  expect(await control('/gateway/_simulator/payments', { amount: 1 })).toMatchObject({ status: 400 })
  expect(await control('/gateway/_simulator/nothing', {})).toMatchObject({ status: 404 })
  const unknown = await fetch(`${operator.url}/gateway/_simulator/state`)
  expect(unknown.status).toBe(401)
})
