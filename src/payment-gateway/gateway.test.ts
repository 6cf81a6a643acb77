/** Tests the promises of the port for every gateway: here Razorpay's API, as simulated. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type StandInGateway, startGateway } from '../../test/support/stand-in-gateway.ts'
import { HOUR_MS, later, MINUTE_MS } from '../core/clock.ts'
import { createEgress, type Egress } from '../egress/egress.ts'
import type { Gateway, GatewayAccount, NewLink } from './port.ts'
import { createRazorpay } from './razorpay/gateway.ts'

let standIn: StandInGateway
let egress: Egress
let gateway: Gateway
let account: GatewayAccount
let now = new Date('2026-06-01T09:00:00Z')
const clock = { now: () => now, monotonicMs: () => 0 }

beforeAll(async () => {
  standIn = await startGateway({ clock })
  egress = createEgress({ allow: ['127.0.0.0/8'] })
  gateway = createRazorpay({ egress, timeoutMs: 2_000 })
})
afterAll(async () => {
  await egress.close()
  await standIn.stop()
})
beforeEach(() => {
  now = new Date('2026-06-01T09:00:00Z')
  standIn.store.clear()
  const { keyId, keySecret } = standIn.account
  account = { baseUrl: standIn.apiUrl, keyId, keySecret }
})

let count = 0
const link = (more: Partial<NewLink> = {}): NewLink => ({
  reference: `request-${++count}`,
  amountPaise: 48_000,
  description: 'ORD-1001: Please pay',
  customer: { name: 'Asha Rao', phone: '+919812345678' },
  expiresAt: later(now, HOUR_MS),
  notes: { payment_request_id: `request-${count}`, reference_id: 'ORD-1001' },
  ...more,
})
const createLink = async (more: Partial<NewLink> = {}) => {
  const answer = await gateway.createLink(account, link(more))
  if (answer.kind !== 'done') throw new Error(JSON.stringify(answer))
  return answer.value
}
const done = (value: unknown) => ({ kind: 'done', value })

describe('a payment link', () => {
  test('is created with amount, reference, and payment address', async () => {
    const newLink = link()
    const answer = await gateway.createLink(account, newLink)
    expect(answer).toEqual(
      done({
        id: expect.stringMatching(/^plink_/),
        url: expect.stringMatching(/^https:/),
        reference: newLink.reference,
        status: 'created',
        amountPaise: 48_000,
        payments: [],
      }),
    )
    const [stored] = await standIn.store.list(standIn.account, 'payment_link')
    expect(stored).toMatchObject({
      accept_partial: false,
      customer: { name: 'Asha Rao', contact: '+919812345678' },
      notify: { sms: false, email: false },
      expire_by: later(now, HOUR_MS).getTime() / 1000,
      notes: newLink.notes,
    })
  })

  test('is created for a customer without details, without expiry', async () => {
    await createLink({ customer: { name: null, phone: null }, expiresAt: null })
    const [stored] = await standIn.store.list(standIn.account, 'payment_link')
    expect(stored).toMatchObject({ customer: {}, expire_by: 0 })
  })

  test('is created once for a reference', async () => {
    const { reference } = await createLink()
    expect(await gateway.createLink(account, link({ reference: reference! }))).toMatchObject({
      kind: 'refused',
      code: 'BAD_REQUEST_ERROR',
      message: expect.stringContaining('already exists'),
      permanent: true,
    })
  })

  test('is found by its id and by our reference, and an unknown link is undefined', async () => {
    const created = await createLink()
    await createLink()
    expect(await gateway.findLink(account, created.id)).toEqual(done(created))
    expect(await gateway.findLinkByReference(account, created.reference!)).toEqual(done(created))
    expect(await gateway.findLink(account, 'plink_nobody')).toEqual(done(undefined))
    expect(await gateway.findLinkByReference(account, 'nobody')).toEqual(done(undefined))
  })

  test('names the payments that paid it', async () => {
    const { id } = await createLink()
    await standIn.pay({ link: id, method: 'card', paise: 47_000 })
    expect(await gateway.findLink(account, id)).toMatchObject(
      done({
        status: 'paid',
        payments: [
          {
            id: expect.stringMatching(/^pay_/),
            amountPaise: 47_000,
            currency: 'INR',
            state: 'captured',
            method: 'card',
            at: now,
            refundedPaise: 0,
            failure: null,
          },
        ],
      }),
    )
  })

  test('is canceled, and a finished link returns its final state', async () => {
    const [open, paid, late] = [await createLink(), await createLink(), await createLink()]
    expect(await gateway.cancelLink(account, open.id)).toMatchObject(done({ status: 'cancelled' }))
    expect(await gateway.cancelLink(account, open.id)).toMatchObject(done({ status: 'cancelled' }))
    await standIn.pay({ link: paid.id })
    expect(await gateway.cancelLink(account, paid.id)).toMatchObject(done({ status: 'paid' }))
    now = later(now, HOUR_MS)
    expect(await gateway.cancelLink(account, late.id)).toMatchObject(done({ status: 'expired' }))
    expect(await gateway.cancelLink(account, 'plink_nobody')).toEqual(done(undefined))
  })

  test('is rejected if it would expire too soon', async () => {
    expect(await gateway.createLink(account, link({ expiresAt: later(now, 14 * MINUTE_MS) }))).toMatchObject({
      kind: 'refused',
      permanent: true,
    })
  })
})

describe('an order created by the operator', () => {
  const order = { receipt: 'ORD-1001', amount: 48_000, notes: { payment_request_id: 'request-a' } }

  test('is found by its receipt and our request, with its payments, including failed ones', async () => {
    await standIn.payInChat(order, { fail: true })
    const { payment } = await standIn.payInChat(order, { method: 'netbanking' })
    expect(await gateway.findOrder(account, { receipt: 'ORD-1001', requestId: 'request-a' })).toMatchObject(
      done({
        id: expect.stringMatching(/^order_/),
        payments: [
          { id: payment.id, state: 'captured', method: 'netbanking', failure: null },
          { state: 'failed', failure: { code: 'BAD_REQUEST_ERROR', message: 'The payment was declined.' } },
        ],
      }),
    )
  })

  test('of another seller with the same receipt is not returned', async () => {
    await standIn.payInChat({ ...order, notes: {} as never }, {})
    expect(await gateway.findOrder(account, { receipt: 'ORD-1001', requestId: 'request-a' })).toEqual(
      done(undefined),
    )
  })
})

test('refunds of a payment are listed', async () => {
  const { id } = await createLink()
  const payment = (await standIn.pay({ link: id }))!
  expect(await gateway.listRefunds(account, payment.id)).toEqual(done([]))
  const refunds = `${standIn.apiUrl}/payments/${payment.id}/refund`
  const authorization = `Basic ${Buffer.from('rzp_test_shop:key secret').toString('base64')}`
  for (const amount of [10_000, 5_000])
    await fetch(refunds, { method: 'POST', headers: { authorization }, body: JSON.stringify({ amount }) })
  expect(await gateway.listRefunds(account, payment.id)).toEqual(
    done([
      { id: expect.stringMatching(/^rfnd_/), amountPaise: 5_000, processed: true },
      { id: expect.stringMatching(/^rfnd_/), amountPaise: 10_000, processed: true },
    ]),
  )
})

describe('faults', () => {
  test('a key that the gateway rejects is a permanent refusal', async () => {
    expect(await gateway.checkAccount(account)).toEqual(done(true))
    const wrong = { ...account, keySecret: 'another' }
    expect(await gateway.checkAccount(wrong)).toMatchObject({ kind: 'refused', permanent: true })
    expect(await gateway.createLink(wrong, link())).toMatchObject({
      kind: 'refused',
      message: 'Authentication failed',
    })
  })

  test.each([302, 401, 403, 407])(
    '%i from a proxy in front of the gateway is not an answer of the gateway',
    async (status) => {
      const proxy = createServer((_req, res) => res.writeHead(status).end('<html>Sign in</html>'))
      await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
      const baseUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/v1`
      expect(await gateway.createLink({ ...account, baseUrl }, link())).toMatchObject({ kind: 'unknown' })
      proxy.closeAllConnections()
      await new Promise((resolve) => proxy.close(resolve))
    },
  )

  test('a call without an answer may have taken effect', async () => {
    standIn.store.faults.push({ call: 'POST payment_links', kind: 'no-answer', times: 1 })
    const newLink = link()
    expect(await gateway.createLink(account, newLink)).toMatchObject({ kind: 'unknown' })
    expect(await gateway.findLinkByReference(account, newLink.reference)).toMatchObject(
      done({ reference: newLink.reference }),
    )
  })

  test('an unreachable gateway counts as one that does not answer', async () => {
    const away = { ...account, baseUrl: 'http://127.0.0.1:9/v1' }
    expect(await gateway.findLink(away, 'plink_1')).toMatchObject({ kind: 'unknown' })
  })
})
