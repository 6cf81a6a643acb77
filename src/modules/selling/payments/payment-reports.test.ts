/** A payment counts once, with any source, order and number of reports (docs/clarifications.md, payments). */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley } from '../../../../test/support/boot.ts'
import {
  gatewayApplied,
  gatewayPost,
  paymentEvent,
  paymentStatus,
  quietOperator,
  type RealShop,
  realShop,
} from '../../../../test/support/payments.ts'
import { type StandInGateway, startGateway } from '../../../../test/support/stand-in-gateway.ts'
import { until } from '../../../../test/support/until.ts'
import type { StandaloneSimulator } from '../../../operator/simulator/standalone/start.ts'

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

const shopWithLead = async (): Promise<RealShop> => {
  const setup = await realShop(parley, operator)
  await setup.shop.post('/leads', { phone: setup.phone, name: 'Asha Rao' })
  return setup
}
const paidTotal = async ({ shop, phone }: RealShop): Promise<number> =>
  (await shop.get(`/leads/${phone}`)).body.lead.paidTotal
const story = async ({ shop, phone }: RealShop): Promise<string[]> =>
  (await shop.get(`/leads/${phone}/timeline`)).body.entries.map((entry: Body) => entry.kind)

/** The reports of the request, by name. */
const reports: Record<string, (setup: RealShop, request: Body) => Promise<unknown>> = {
  operator: ({ number }, { referenceId }) => number.report('messages', paymentStatus(referenceId)),
  'operator, pending': ({ number }, { referenceId }) =>
    number.report(
      'messages',
      paymentStatus(referenceId, { status: 'pending', transaction: { status: 'pending' } }),
    ),
  'operator, failed': ({ number }, { referenceId }) =>
    number.report(
      'messages',
      paymentStatus(referenceId, {
        status: 'pending',
        transaction: {
          status: 'failed',
          pg_transaction_id: 'pay_0',
          error: { code: 'X', reason: 'No money' },
        },
      }),
    ),
  link: ({ shop }, { id }) => gatewayPost(parley, shop, paymentEvent('payment_link.paid', { requestId: id })),
  captured: ({ shop }, { id }) =>
    gatewayPost(parley, shop, paymentEvent('payment.captured', { requestId: id })),
  failed: ({ shop }, { id }) =>
    gatewayPost(parley, shop, paymentEvent('payment.failed', { requestId: id }, { id: 'pay_0' })),
  expired: ({ shop }, { id }) =>
    gatewayPost(parley, shop, {
      event: 'payment_link.expired',
      payload: { payment_link: { entity: { id: 'plink_1', reference_id: id, status: 'expired' } } },
    }),
}

const orders: string[][] = [
  ['operator'],
  ['link'],
  ['captured'],
  ['operator', 'link', 'captured'],
  ['captured', 'link', 'operator'],
  ['link', 'operator', 'link', 'operator'],
  ['failed', 'operator, failed', 'link'],
  ['link', 'failed', 'operator, failed', 'operator, pending'],
  ['operator, pending', 'operator', 'operator, pending'],
  ['expired', 'link'],
  ['link', 'expired'],
  ['operator, failed', 'expired', 'captured', 'failed'],
]

describe('a payment counts once', () => {
  test.each(orders.map((names) => [names.join(' · '), names] as const))('%s', async (_, order) => {
    const setup = await shopWithLead()
    const request = await setup.asked()
    for (const name of order) await reports[name]!(setup, request)
    await gatewayApplied(parley, setup.shop)
    expect(await setup.find(request.id)).toMatchObject({
      status: 'paid',
      paidPaise: 48_000,
      paymentMethod: 'upi',
      paymentId: 'pay_1',
      failure: null,
      furtherPayments: [],
    })
    expect(await setup.paidEvents()).toHaveLength(1)
    expect(await paidTotal(setup)).toBe(480)
    expect((await story(setup)).filter((kind) => kind === 'payment_received')).toHaveLength(1)
  })

  test('reported by all sources in parallel', async () => {
    const setup = await shopWithLead()
    const request = await setup.asked()
    const sources = ['operator', 'link', 'captured', 'failed', 'operator, pending']
    await Promise.all([...sources, ...sources, ...sources].map((name) => reports[name]!(setup, request)))
    await gatewayApplied(parley, setup.shop)
    expect(await setup.find(request.id)).toMatchObject({ status: 'paid', paidPaise: 48_000 })
    expect(await setup.paidEvents()).toHaveLength(1)
    expect(await paidTotal(setup)).toBe(480)
  })

  test('several requests of one customer add up', async () => {
    const setup = await shopWithLead()
    const requests = [await setup.asked(), await setup.asked(), await setup.asked()]
    await Promise.all(
      requests.flatMap((request) => [reports.operator!(setup, request), reports.link!(setup, request)]),
    )
    await gatewayApplied(parley, setup.shop)
    expect(await paidTotal(setup)).toBe(1_440)
    expect(await setup.paidEvents()).toHaveLength(3)
  })

  test('a payment of a customer without a lead counts, and no lead is created', async () => {
    const setup = await realShop(parley, operator)
    const request = await setup.asked()
    await reports.operator!(setup, request)
    expect(await setup.find(request.id)).toMatchObject({ status: 'paid' })
    expect((await setup.shop.get('/leads?view=sys:all')).body.leads).toEqual([])
    expect(await setup.paidEvents()).toHaveLength(1)
  })
})

describe('the time of sending is recorded, with any reports of the payment', () => {
  const receipt = (chanmid: string, status: string, timestamp: number) => ({
    statuses: [{ id: chanmid, status, timestamp: String(timestamp), recipient_id: '919812345678' }],
  })

  test.each([
    ['operator', 'paid', null],
    ['operator, failed', 'failed', 'payment'],
    ['expired', 'expired', null],
  ])('%s, then the first receipt', async (name, status, failure) => {
    const setup = await realShop(parley, operator)
    const request = await setup.asked()
    const { chanmid } = (await setup.shop.get(`/messages/${request.messageId}`)).body.message
    await reports[name]!(setup, request)
    await gatewayApplied(parley, setup.shop)
    const before = await setup.find(request.id)
    expect(before).toMatchObject({ status, sentAt: null })
    const timestamp = Math.floor(Date.now() / 1000)
    await setup.number.report('messages', receipt(chanmid, 'sent', timestamp))
    const sent = await setup.find(request.id)
    const { sentAt } = (await setup.shop.get(`/messages/${request.messageId}`)).body.message
    expect(sent).toEqual({ ...before, sentAt, updatedAt: expect.any(String) })
    expect(sent.failure?.source ?? null).toBe(failure)
    expect(Date.parse(sent.updatedAt)).toBeGreaterThanOrEqual(Date.parse(before.updatedAt))
    // The message may fail after that: the payment's state stays.
    await setup.number.report('messages', receipt(chanmid, 'failed', timestamp))
    expect(await setup.find(request.id)).toEqual(sent)
  })

  test('both in one report', async () => {
    const setup = await realShop(parley, operator)
    const request = await setup.asked()
    const { chanmid } = (await setup.shop.get(`/messages/${request.messageId}`)).body.message
    const { statuses } = receipt(chanmid, 'sent', Math.floor(Date.now() / 1000))
    await setup.number.report('messages', {
      statuses: [...paymentStatus(request.referenceId).statuses, ...statuses],
    })
    const { sentAt } = (await setup.shop.get(`/messages/${request.messageId}`)).body.message
    expect(sentAt).not.toBeNull()
    expect(await setup.find(request.id)).toMatchObject({ status: 'paid', sentAt })
  })
})

describe("the operator's examples, about a request of its own", () => {
  const example = (name: string) =>
    JSON.parse(
      readFileSync(
        join(import.meta.dirname, `../../../../test/fixtures/operator/payments-in/${name}.json`),
        'utf8',
      ),
    )
  const method = { paymentMethod: 'upi', paymentId: 'pay_OsAaBbCcDdEeFf' }
  test.each([
    ['status_captured', { status: 'paid', paidPaise: 48_000, refundedPaise: 0, ...method }, 480],
    [
      'status_captured_with_refund',
      { status: 'paid', paidPaise: 48_000, refundedPaise: 10_000, ...method },
      380,
    ],
    [
      'status_pending_attempt_failed',
      {
        status: 'failed',
        failure: { source: 'payment', code: 'BAD_REQUEST_ERROR', message: 'payment_failed' },
      },
      0,
    ],
    ['status_pending_attempt_pending', { status: 'created', failure: null, paidPaise: null }, 0],
  ])('%s', async (name, expected, total) => {
    const setup = await shopWithLead()
    const request = await setup.asked({ referenceId: 'ORD-1001' })
    const message = async () => (await setup.shop.get(`/messages/${request.messageId}`)).body.message
    const before = await message()
    await setup.number.reportBody(example(name))
    expect(await setup.find('ORD-1001')).toMatchObject(expected)
    expect(await paidTotal(setup)).toBe(total)
    expect(await setup.paidEvents()).toHaveLength(total > 0 ? 1 : 0)
    // It does not change the message itself.
    expect(await message()).toEqual(before)
  })
})

describe('amounts', () => {
  test('paidPaise is the amount received, even if it differs from totalPaise, and the total of the lead grows by it', async () => {
    const setup = await shopWithLead()
    const request = await setup.asked()
    await setup.number.report('messages', paymentStatus(request.referenceId, { paise: 47_999 }))
    const [event] = await setup.paidEvents()
    expect(event.data).toMatchObject({ totalPaise: 48_000, paidPaise: 47_999 })
    expect(await paidTotal(setup)).toBe(479.99)
  })

  test.each<[string, (setup: RealShop, request: Body) => Promise<unknown>]>([
    [
      'the operator',
      ({ number }, { referenceId }) => {
        const report = paymentStatus(referenceId)
        const amount = { value: '48000', offset: '100' }
        Object.assign(report.statuses[0]!.payment, { amount })
        return number.report('messages', report)
      },
    ],
    [
      'the gateway',
      ({ shop }, { id }) => {
        const now = String(Math.floor(Date.now() / 1000))
        const texts = { amount: '48000', created_at: now }
        return gatewayPost(parley, shop, paymentEvent('payment_link.paid', { requestId: id }, texts))
      },
    ],
  ])('of %s may be strings', async (_, report) => {
    const setup = await shopWithLead()
    const request = await setup.asked()
    await report(setup, request)
    await gatewayApplied(parley, setup.shop)
    expect(await setup.find(request.id)).toMatchObject({ status: 'paid', paidPaise: 48_000 })
    expect(await paidTotal(setup)).toBe(480)
  })

  test('in another currency, of zero, or with fractions of a paisa are no payments', async () => {
    const setup = await shopWithLead()
    const request = await setup.asked()
    const odd = [{ currency: 'USD' }, { paise: 0 }, { paise: 0.5 }, { paise: -48_000 }, { paise: 2 ** 40 }]
    for (const statusFields of odd)
      await setup.number.report('messages', paymentStatus(request.referenceId, statusFields))
    for (const more of [{ currency: 'USD' }, { amount: 0 }, { amount: 48_000.5 }])
      await gatewayPost(
        parley,
        setup.shop,
        paymentEvent('payment_link.paid', { requestId: request.id }, more),
      )
    await gatewayApplied(parley, setup.shop)
    expect((await setup.find(request.id)).status).not.toBe('paid')
    expect(await setup.paidEvents()).toEqual([])
  })

  test('a second payment is stored in addition to the first and does not count', async () => {
    const setup = await shopWithLead()
    const request = await setup.asked()
    await reports.link!(setup, request)
    const second = paymentEvent(
      'payment.captured',
      { requestId: request.id },
      { id: 'pay_2', method: 'card' },
    )
    for (let i = 0; i < 2; i++) await gatewayPost(parley, setup.shop, second)
    await gatewayApplied(parley, setup.shop)
    expect(await setup.find(request.id)).toMatchObject({
      paymentId: 'pay_1',
      paidPaise: 48_000,
      furtherPayments: [{ paymentId: 'pay_2', paidPaise: 48_000, paymentMethod: 'card' }],
    })
    expect(await setup.paidEvents()).toHaveLength(1)
    expect(await paidTotal(setup)).toBe(480)
  })
})

describe('a refund emits no event and lowers paidTotal', () => {
  const refundReport = (setup: RealShop, { referenceId }: Body, refundedPaise: number) =>
    setup.number.report('messages', paymentStatus(referenceId, { refundedPaise }))
  /** Creates a payment with refunds at the gateway, not reported yet. */
  const refunded = async (request: Body, ...amounts: number[]): Promise<string> => {
    await gateway.pay({ reference: request.id })
    const links = await gateway.store.list(gateway.account, 'payment_link')
    const link = links.find((link) => link.reference_id === request.id)
    const paymentId = (link!.payments as Body[])[0].payment_id as string
    for (const amount of amounts) await gateway.giveBack(paymentId, amount)
    return paymentId
  }

  test('from any source; a paid request never becomes unpaid', async () => {
    const setup = await shopWithLead()
    const request = await setup.asked()
    const paymentId = await refunded(request, 10_000, 5_000)
    await setup.number.report(
      'messages',
      paymentStatus(request.referenceId, { transaction: { pg_transaction_id: paymentId } }),
    )
    await gatewayPost(parley, setup.shop, {
      event: 'refund.processed',
      payload: { refund: { entity: { id: 'rfnd_1', payment_id: paymentId, amount: 5_000 } } },
    })
    await until(async () => (await setup.find(request.id)).refundedPaise === 15_000, 'refunds are read')
    // An outdated report.
    await setup.number.report(
      'messages',
      paymentStatus(request.referenceId, {
        transaction: { pg_transaction_id: paymentId },
        refundedPaise: 10_000,
      }),
    )
    expect(await setup.find(request.id)).toMatchObject({ status: 'paid', refundedPaise: 15_000 })
    expect(await paidTotal(setup)).toBe(330)
    expect(await story(setup)).toContain('payment_refunded')
    expect(await setup.paidEvents()).toHaveLength(1)
  })

  test('in any order and number, also in parallel', async () => {
    const setup = await shopWithLead()
    const request = await setup.asked()
    await reports.operator!(setup, request)
    for (const paise of [10_000, 5_000, 10_000, 0]) await refundReport(setup, request, paise)
    expect(await paidTotal(setup)).toBe(380)
    const amounts = [12_000, 20_000, 15_000, 20_000, 10_000]
    await Promise.all(amounts.map((paise) => refundReport(setup, request, paise)))
    expect(await setup.find(request.id)).toMatchObject({ status: 'paid', refundedPaise: 20_000 })
    expect(await paidTotal(setup)).toBe(280)
  })

  test('reported before its payment', async () => {
    const setup = await shopWithLead()
    const request = await setup.asked()
    const paymentId = await refunded(request, 10_000)
    const { payload } = paymentEvent('payment.captured', { requestId: request.id }, { id: paymentId })
    await gatewayPost(parley, setup.shop, {
      event: 'refund.processed',
      payload: { ...payload, refund: { entity: { id: 'rfnd_1', payment_id: paymentId, amount: 10_000 } } },
    })
    await until(async () => (await setup.find(request.id)).refundedPaise === 10_000, 'the refund is read')
    await gatewayPost(parley, setup.shop, { event: 'payment.captured', payload })
    await gatewayApplied(parley, setup.shop)
    expect(await setup.find(request.id)).toMatchObject({ status: 'paid', refundedPaise: 10_000 })
    expect(await paidTotal(setup)).toBe(380)
    expect(await setup.paidEvents()).toHaveLength(1)
  })

  test.each(['captured', 'link'])(
    'reported before its payment, without the payment in the report, which arrives as %s',
    async (report) => {
      const setup = await shopWithLead()
      const request = await setup.asked()
      const paymentId = await refunded(request, 10_000)
      await gatewayPost(parley, setup.shop, {
        event: 'refund.processed',
        payload: { refund: { entity: { id: 'rfnd_1', payment_id: paymentId, amount: 10_000 } } },
      })
      await gatewayApplied(parley, setup.shop)
      const keptRefunds = async () =>
        parley.system((tx) =>
          tx.sql('select payment_id from early_refunds where workspace_id = $1', [setup.shop.workspaceId]),
        )
      await until(async () => (await keptRefunds()).length === 1, 'the refund is kept')
      const event = report === 'link' ? 'payment_link.paid' : 'payment.captured'
      const paid = paymentEvent(event, { requestId: request.id }, { id: paymentId })
      await gatewayPost(parley, setup.shop, paid)
      await until(async () => (await setup.find(request.id)).refundedPaise === 10_000, 'the refund is read')
      expect(await setup.find(request.id)).toMatchObject({ status: 'paid', refundedPaise: 10_000 })
      expect(await paidTotal(setup)).toBe(380)
      expect(await keptRefunds()).toEqual([])
    },
  )

  test("by at most the request's contribution", async () => {
    const setup = await shopWithLead()
    const [first, second] = [await setup.asked(), await setup.asked()]
    for (const request of [first, second]) await reports.operator!(setup, request)
    for (const paise of [30_000, 48_000, 60_000]) await refundReport(setup, first, paise)
    expect(await setup.find(first.id)).toMatchObject({ status: 'paid', refundedPaise: 48_000 })
    expect(await paidTotal(setup)).toBe(480)
  })

  test('and not that of a lead that was created after the payment', async () => {
    const setup = await realShop(parley, operator)
    const request = await setup.asked()
    await reports.operator!(setup, request)
    await setup.shop.post('/leads', { phone: setup.phone, name: 'Asha Rao' })
    await refundReport(setup, request, 10_000)
    expect(await setup.find(request.id)).toMatchObject({ refundedPaise: 10_000 })
    expect(await paidTotal(setup)).toBe(0)
  })
})

describe('reports about payments of others', () => {
  test('of unknown requests change nothing, and are kept for later analysis', async () => {
    const setup = await shopWithLead()
    const request = await setup.asked()
    const other = await shopWithLead()
    await other.number.report('messages', paymentStatus(request.referenceId))
    for (const requestId of [request.id, '01970f3e-8a6b-7c1d-9e2f-3a4b5c6d7e8f', 'plink of the web shop'])
      await gatewayPost(parley, other.shop, paymentEvent('payment_link.paid', { requestId }))
    await gatewayApplied(parley, other.shop)
    expect((await setup.find(request.id)).status).not.toBe('paid')
    const unread = await parley.system((tx) =>
      tx.sql<{ fields: string[] }>('select fields from unread_updates where workspace_id = $1', [
        other.shop.workspaceId,
      ]),
    )
    expect(unread).toEqual([{ fields: ['messages.statuses.payment'] }])
  })

  test('a payment of an erased customer is assigned to no contact; their link is canceled', async () => {
    const setup = await shopWithLead()
    const request = await setup.asked()
    await setup.shop.delete(`/contacts/${request.contactId}`)
    expect(await setup.shop.get(`/payment-requests/${request.id}`)).toMatchObject({ status: 404 })
    await until(async () => {
      const links = await gateway.store.list(gateway.account, 'payment_link')
      return links.find((link) => link.reference_id === request.id)?.status === 'cancelled'
    }, 'the link is canceled')
    await reports.link!(setup, request)
    await gatewayApplied(parley, setup.shop)
    expect(await setup.paidEvents()).toEqual([])
  })

  test('an inactive payment configuration blocks requests, and an active one allows them again', async () => {
    const setup = await realShop(parley, operator, { configuration: 'shop-rzp' })
    const reportConfiguration = (status: string, name = 'shop-rzp') =>
      setup.number.report('payment_configuration_update', { configuration_name: name, status })
    await reportConfiguration('Needs_Connecting', 'another')
    await setup.asked()
    await reportConfiguration('Needs Connecting')
    await expect(setup.ask()).rejects.toThrow(/409.*needs connecting/)
    await reportConfiguration('Active')
    await setup.asked()
  })
})

test('payment terms that the account has not accepted fail the request, and its number continues to send', async () => {
  const { shop, number, phone, ask, find } = await realShop(parley, operator)
  const faultAnswer = await fetch(`${operator.url}/_simulator/faults`, {
    method: 'POST',
    headers: { authorization: 'Bearer operator-token', 'content-type': 'application/json' },
    body: JSON.stringify({
      number: number.operatorId,
      type: 'interactive',
      does: { error: 131005, status: 403 },
    }),
  })
  expect(faultAnswer.ok).toBe(true)
  const { id } = await ask()
  await until(async () => (await find(id)).status === 'failed', 'the request has failed')
  expect((await find(id)).failure).toMatchObject({ source: 'message', code: '131005' })
  expect((await shop.get('/phone-numbers')).body.phoneNumbers).toMatchObject([{ state: 'active' }])
  expect((await shop.post('/send', { to: phone, type: 'text', text: 'We are here' })).status).toBe(200)
})
