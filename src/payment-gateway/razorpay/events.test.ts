import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { createEgress } from '../../egress/egress.ts'
import type { Gateway, GatewayAccount } from '../port.ts'
import { readGatewayEvent } from './events.ts'
import { createRazorpay } from './gateway.ts'
import { signGatewayWebhook, verifyGatewaySignature } from './signature.ts'

const payment = {
  id: 'pay_1',
  amount: 48_000,
  currency: 'INR',
  status: 'captured',
  method: 'UPI',
  amount_refunded: 0,
  notes: [],
  created_at: 1_767_168_600,
}
const event = (name: string, payload: Record<string, object>) => ({
  entity: 'event',
  event: name,
  payload: Object.fromEntries(Object.entries(payload).map(([key, entity]) => [key, { entity }])),
})

describe('a webhook of the gateway', () => {
  test.each([
    ['payment_link.paid', { payment_link: { id: 'plink_1', reference_id: 'request-1' }, payment }],
    ['payment.captured', { payment: { ...payment, notes: { payment_request_id: 'request-1' } } }],
    ['order.paid', { order: { id: 'order_1', notes: { payment_request_id: 'request-1' } }, payment }],
  ])('%s is a payment for the request that it names', (name, payload) => {
    expect(readGatewayEvent(event(name, payload))).toEqual([
      {
        kind: 'payment',
        requestId: 'request-1',
        payment: {
          id: 'pay_1',
          amountPaise: 48_000,
          currency: 'INR',
          state: 'captured',
          method: 'upi',
          at: new Date(1_767_168_600_000),
          refundedPaise: 0,
          failure: null,
        },
      },
    ])
  })

  test('payment.failed contains the reason', () => {
    const failed = {
      ...payment,
      status: 'failed',
      error_code: 'GATEWAY_ERROR',
      error_description: 'Declined.',
    }
    const [report] = readGatewayEvent(
      event('payment.failed', { payment: { ...failed, notes: { payment_request_id: 'request-1' } } }),
    )
    expect(report).toMatchObject({
      payment: { state: 'failed', failure: { code: 'GATEWAY_ERROR', message: 'Declined.' } },
    })
  })

  test.each(['expired', 'cancelled'])('payment_link.%s ends the link', (status) => {
    const payload = { payment_link: { id: 'plink_1', reference_id: 'request-1' } }
    expect(readGatewayEvent(event(`payment_link.${status}`, payload))).toEqual([
      { kind: 'link', requestId: 'request-1', status },
    ])
  })

  test.each(['refund.created', 'refund.processed', 'refund.failed'])('%s names the payment', (name) => {
    expect(readGatewayEvent(event(name, { refund: { id: 'rfnd_1', payment_id: 'pay_1' } }))).toEqual([
      { kind: 'refund', paymentId: 'pay_1' },
    ])
  })

  test("a refund that arrives before its payment's report also reports the payment", () => {
    const paid = { ...payment, amount_refunded: 9_000, notes: { payment_request_id: 'request-1' } }
    const refund = { id: 'rfnd_1', payment_id: 'pay_1' }
    expect(readGatewayEvent(event('refund.processed', { refund, payment: paid }))).toMatchObject([
      // The refunded total is requested later.
      { kind: 'payment', requestId: 'request-1', payment: { state: 'captured', refundedPaise: 0 } },
      { kind: 'refund', paymentId: 'pay_1' },
    ])
  })

  test("for an unknown request is ignored, because the account's owner may sell elsewhere too", () => {
    const others: Record<string, object>[] = [
      { payment },
      { order: { id: 'order_1', receipt: 'ORD-1001' }, payment },
    ]
    for (const payload of others)
      expect(readGatewayEvent(event('order.paid', payload))).toEqual([
        { kind: 'unrecognized', event: 'order.paid' },
      ])
  })

  test.each([
    null,
    7,
    [],
    'paid',
    {},
    { event: 7 },
    { event: '__proto__' },
    { event: 'payment_link.paid' },
    { event: 'payment_link.paid', payload: [] },
    event('payment_link.paid', {
      payment_link: { reference_id: 'request-1' },
      payment: { ...payment, amount: 4.5 },
    }),
    event('payment_link.paid', {
      payment_link: { reference_id: 'request-1' },
      payment: { ...payment, amount: -1 },
    }),
    event('payment_link.paid', {
      payment_link: { reference_id: 'request-1' },
      payment: { ...payment, status: 'odd' },
    }),
    event('payment_link.paid', {
      payment_link: { reference_id: 'request-1' },
      payment: { ...payment, created_at: 1e30 },
    }),
    event('payment_link.paid', { payment_link: { reference_id: 'x'.repeat(600) }, payment }),
  ])('%j is ignored, and no error is thrown', (body) => {
    expect(readGatewayEvent(body)).toMatchObject([{ kind: 'unrecognized' }])
  })
})

describe('the signature', () => {
  const body = Buffer.from('{"event":"payment_link.paid"}')
  const secret = 'webhook secret'

  test('matches only these bytes and this secret', () => {
    const header = signGatewayWebhook(body, secret)
    expect(verifyGatewaySignature(body, header, secret)).toBe(true)
    expect(verifyGatewaySignature(body, header.toUpperCase(), secret)).toBe(true)
    expect(verifyGatewaySignature(Buffer.from(`${body} `), header, secret)).toBe(false)
    expect(verifyGatewaySignature(body, header, 'another')).toBe(false)
  })

  test.each(['', 'nonsense', 'a'.repeat(63)])('%j never matches', (header) => {
    expect(verifyGatewaySignature(body, header, secret)).toBe(false)
  })
})

describe('answers of the gateway', () => {
  const link = {
    id: 'plink_1',
    short_url: 'https://pay.example/1',
    status: 'paid',
    amount: 100,
    currency: 'INR',
  }
  const respond = async <Value>(
    answer: (res: ServerResponse) => void,
    callGateway: (gateway: Gateway, account: GatewayAccount) => Promise<Value>,
  ): Promise<Value> => {
    const server = createServer((_req, res) => answer(res))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const egress = createEgress({ allow: ['127.0.0.0/8'] })
    try {
      const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
      const account = { baseUrl, keyId: 'k', keySecret: 's' }
      return await callGateway(createRazorpay({ egress, timeoutMs: 300 }), account)
    } finally {
      await egress.close()
      server.closeAllConnections()
      server.close()
    }
  }
  const json = (status: number, body: unknown) => (res: ServerResponse) =>
    res.writeHead(status).end(JSON.stringify(body))

  test.each([
    ['429 is a temporary error', json(429, {}), { kind: 'refused', permanent: false }],
    [
      '400 is a final error',
      json(400, { error: { code: 'X', description: 'No.' } }),
      { code: 'X', permanent: true },
    ],
    ['404 means that it does not exist', json(404, {}), { kind: 'done', value: undefined }],
    ['502 is not a result', json(502, { error: { code: 'X' } }), { kind: 'unknown' }],
    ['a redirect is not followed and is not a result', json(302, {}), { kind: 'unknown' }],
    [
      'an answer that is not JSON is not a result',
      (res: ServerResponse) => res.end('<html>'),
      { kind: 'unknown' },
    ],
    [
      'an answer without the requested record is not a result',
      json(200, { id: 'plink_1' }),
      { kind: 'unknown' },
    ],
    ['silence is not a result', () => {}, { kind: 'unknown' }],
    [
      'a payment as an object is read too, with its numbers as texts',
      json(200, {
        ...link,
        payments: { payment_id: 'pay_1', amount: '100', status: 'captured', created_at: '1767168600' },
      }),
      { value: { payments: [{ id: 'pay_1', amountPaise: 100, currency: 'INR', state: 'captured' }] } },
    ],
  ])('%s', async (_, answer, expected) => {
    expect(await respond(answer, (gateway, account) => gateway.findLink(account, 'plink_1'))).toMatchObject(
      expected,
    )
  })

  test.each([
    ['an empty list', { payment_links: [] }, { kind: 'done', value: undefined }],
    ['no list', {}, { kind: 'unknown' }],
  ])('whether a link was created before, with %s', async (_, body, expected) => {
    const find = (gateway: Gateway, account: GatewayAccount) =>
      gateway.findLinkByReference(account, 'request-1')
    expect(await respond(json(200, body), find)).toMatchObject(expected)
  })
})
