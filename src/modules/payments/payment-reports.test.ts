/** A payment counts once, with any source, order and number of reports (docs/clarifications.md, payments). */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley } from '../../../test/support/boot.ts'
import {
  gatewayApplied,
  gatewayPost,
  paymentEvent,
  paymentStatus,
  quietOperator,
  type RealShop,
  realShop,
} from '../../../test/support/payments.ts'
import { type StandInGateway, startGateway } from '../../../test/support/stand-in-gateway.ts'
import { until } from '../../../test/support/until.ts'
import type { StandaloneSimulator } from '../../operator/simulator/standalone/start.ts'

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
  const opened = await realShop(parley, operator)
  await opened.shop.post('/leads', { phone: opened.phone, name: 'Asha Rao' })
  return opened
}
const paidTotal = async ({ shop, phone }: RealShop): Promise<number> =>
  (await shop.get(`/leads/${phone}`)).body.lead.paidTotal
const story = async ({ shop, phone }: RealShop): Promise<string[]> =>
  (await shop.get(`/leads/${phone}/timeline`)).body.entries.map((one: Body) => one.kind)

/** The reports of the request, by name. */
const reports: Record<string, (of: RealShop, request: Body) => Promise<unknown>> = {
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
  test.each(orders.map((one) => [one.join(' · '), one] as const))('%s', async (_, order) => {
    const opened = await shopWithLead()
    const request = await opened.asked()
    for (const name of order) await reports[name]!(opened, request)
    await gatewayApplied(parley, opened.shop)
    expect(await opened.find(request.id)).toMatchObject({
      status: 'paid',
      paidPaise: 48_000,
      paymentMethod: 'upi',
      paymentId: 'pay_1',
      failure: null,
      furtherPayments: [],
    })
    expect(await opened.paidEvents()).toHaveLength(1)
    expect(await paidTotal(opened)).toBe(480)
    expect((await story(opened)).filter((kind) => kind === 'payment_received')).toHaveLength(1)
  })

  test('reported by all sources in parallel', async () => {
    const opened = await shopWithLead()
    const request = await opened.asked()
    const all = ['operator', 'link', 'captured', 'failed', 'operator, pending']
    await Promise.all([...all, ...all, ...all].map((name) => reports[name]!(opened, request)))
    await gatewayApplied(parley, opened.shop)
    expect(await opened.find(request.id)).toMatchObject({ status: 'paid', paidPaise: 48_000 })
    expect(await opened.paidEvents()).toHaveLength(1)
    expect(await paidTotal(opened)).toBe(480)
  })

  test('several requests of one customer add up', async () => {
    const opened = await shopWithLead()
    const requests = [await opened.asked(), await opened.asked(), await opened.asked()]
    await Promise.all(requests.flatMap((one) => [reports.operator!(opened, one), reports.link!(opened, one)]))
    await gatewayApplied(parley, opened.shop)
    expect(await paidTotal(opened)).toBe(1_440)
    expect(await opened.paidEvents()).toHaveLength(3)
  })

  test('a payment of a customer without a lead counts, and no lead is created', async () => {
    const opened = await realShop(parley, operator)
    const request = await opened.asked()
    await reports.operator!(opened, request)
    expect(await opened.find(request.id)).toMatchObject({ status: 'paid' })
    expect((await opened.shop.get('/leads?view=sys:all')).body.leads).toEqual([])
    expect(await opened.paidEvents()).toHaveLength(1)
  })
})

describe('the time of sending is recorded, with any reports of the payment', () => {
  const receipt = (chanmid: string, status: string, at: number) => ({
    statuses: [{ id: chanmid, status, timestamp: String(at), recipient_id: '919812345678' }],
  })

  test.each([
    ['operator', 'paid', null],
    ['operator, failed', 'failed', 'payment'],
    ['expired', 'expired', null],
  ])('%s, then the first receipt', async (name, status, failure) => {
    const opened = await realShop(parley, operator)
    const request = await opened.asked()
    const { chanmid } = (await opened.shop.get(`/messages/${request.messageId}`)).body.message
    await reports[name]!(opened, request)
    await gatewayApplied(parley, opened.shop)
    const before = await opened.find(request.id)
    expect(before).toMatchObject({ status, sentAt: null })
    const at = Math.floor(Date.now() / 1000)
    await opened.number.report('messages', receipt(chanmid, 'sent', at))
    const sent = await opened.find(request.id)
    const { sentAt } = (await opened.shop.get(`/messages/${request.messageId}`)).body.message
    expect(sent).toEqual({ ...before, sentAt, updatedAt: expect.any(String) })
    expect(sent.failure?.source ?? null).toBe(failure)
    expect(Date.parse(sent.updatedAt)).toBeGreaterThanOrEqual(Date.parse(before.updatedAt))
    // The message may fail after that: the payment's state stays.
    await opened.number.report('messages', receipt(chanmid, 'failed', at))
    expect(await opened.find(request.id)).toEqual(sent)
  })

  test('both in one report', async () => {
    const opened = await realShop(parley, operator)
    const request = await opened.asked()
    const { chanmid } = (await opened.shop.get(`/messages/${request.messageId}`)).body.message
    const { statuses } = receipt(chanmid, 'sent', Math.floor(Date.now() / 1000))
    await opened.number.report('messages', {
      statuses: [...paymentStatus(request.referenceId).statuses, ...statuses],
    })
    const { sentAt } = (await opened.shop.get(`/messages/${request.messageId}`)).body.message
    expect(sentAt).not.toBeNull()
    expect(await opened.find(request.id)).toMatchObject({ status: 'paid', sentAt })
  })
})

describe("the operator's examples, about a request of its own", () => {
  const example = (name: string) =>
    JSON.parse(
      readFileSync(
        join(import.meta.dirname, `../../operator/cloud/fixtures/payments-in/${name}.json`),
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
    const opened = await shopWithLead()
    const request = await opened.asked({ referenceId: 'ORD-1001' })
    const message = async () => (await opened.shop.get(`/messages/${request.messageId}`)).body.message
    const before = await message()
    await opened.number.reportBody(example(name))
    expect(await opened.find('ORD-1001')).toMatchObject(expected)
    expect(await paidTotal(opened)).toBe(total)
    expect(await opened.paidEvents()).toHaveLength(total > 0 ? 1 : 0)
    // It does not change the message itself.
    expect(await message()).toEqual(before)
  })
})

describe('amounts', () => {
  test('paidPaise is the amount received, even if it differs from totalPaise, and the total of the lead grows by it', async () => {
    const opened = await shopWithLead()
    const request = await opened.asked()
    await opened.number.report('messages', paymentStatus(request.referenceId, { paise: 47_999 }))
    const [event] = await opened.paidEvents()
    expect(event.data).toMatchObject({ totalPaise: 48_000, paidPaise: 47_999 })
    expect(await paidTotal(opened)).toBe(479.99)
  })

  test.each<[string, (of: RealShop, request: Body) => Promise<unknown>]>([
    [
      'the operator',
      ({ number }, { referenceId }) => {
        const said = paymentStatus(referenceId)
        const amount = { value: '48000', offset: '100' }
        Object.assign(said.statuses[0]!.payment, { amount })
        return number.report('messages', said)
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
    const opened = await shopWithLead()
    const request = await opened.asked()
    await report(opened, request)
    await gatewayApplied(parley, opened.shop)
    expect(await opened.find(request.id)).toMatchObject({ status: 'paid', paidPaise: 48_000 })
    expect(await paidTotal(opened)).toBe(480)
  })

  test('in another currency, of zero, or with fractions of a paisa are no payments', async () => {
    const opened = await shopWithLead()
    const request = await opened.asked()
    const odd = [{ currency: 'USD' }, { paise: 0 }, { paise: 0.5 }, { paise: -48_000 }, { paise: 2 ** 40 }]
    for (const one of odd) await opened.number.report('messages', paymentStatus(request.referenceId, one))
    for (const more of [{ currency: 'USD' }, { amount: 0 }, { amount: 48_000.5 }])
      await gatewayPost(
        parley,
        opened.shop,
        paymentEvent('payment_link.paid', { requestId: request.id }, more),
      )
    await gatewayApplied(parley, opened.shop)
    expect((await opened.find(request.id)).status).not.toBe('paid')
    expect(await opened.paidEvents()).toEqual([])
  })

  test('a second payment is stored in addition to the first and does not count', async () => {
    const opened = await shopWithLead()
    const request = await opened.asked()
    await reports.link!(opened, request)
    const second = paymentEvent(
      'payment.captured',
      { requestId: request.id },
      { id: 'pay_2', method: 'card' },
    )
    for (let i = 0; i < 2; i++) await gatewayPost(parley, opened.shop, second)
    await gatewayApplied(parley, opened.shop)
    expect(await opened.find(request.id)).toMatchObject({
      paymentId: 'pay_1',
      paidPaise: 48_000,
      furtherPayments: [{ paymentId: 'pay_2', paidPaise: 48_000, paymentMethod: 'card' }],
    })
    expect(await opened.paidEvents()).toHaveLength(1)
    expect(await paidTotal(opened)).toBe(480)
  })
})

describe('a refund emits no event and lowers paidTotal', () => {
  const refundReport = (opened: RealShop, { referenceId }: Body, refundedPaise: number) =>
    opened.number.report('messages', paymentStatus(referenceId, { refundedPaise }))
  /** Creates a payment with refunds at the gateway, not reported yet. */
  const refunded = async (request: Body, ...amounts: number[]): Promise<string> => {
    await gateway.pay({ reference: request.id })
    const links = await gateway.store.list(gateway.account, 'payment_link')
    const link = links.find((one) => one.reference_id === request.id)
    const paymentId = (link!.payments as Body[])[0].payment_id as string
    for (const amount of amounts) await gateway.giveBack(paymentId, amount)
    return paymentId
  }

  test('from any source; a paid request never becomes unpaid', async () => {
    const opened = await shopWithLead()
    const request = await opened.asked()
    const paymentId = await refunded(request, 10_000, 5_000)
    await opened.number.report(
      'messages',
      paymentStatus(request.referenceId, { transaction: { pg_transaction_id: paymentId } }),
    )
    await gatewayPost(parley, opened.shop, {
      event: 'refund.processed',
      payload: { refund: { entity: { id: 'rfnd_1', payment_id: paymentId, amount: 5_000 } } },
    })
    await until(async () => (await opened.find(request.id)).refundedPaise === 15_000, 'refunds are read')
    // An outdated report.
    await opened.number.report(
      'messages',
      paymentStatus(request.referenceId, {
        transaction: { pg_transaction_id: paymentId },
        refundedPaise: 10_000,
      }),
    )
    expect(await opened.find(request.id)).toMatchObject({ status: 'paid', refundedPaise: 15_000 })
    expect(await paidTotal(opened)).toBe(330)
    expect(await story(opened)).toContain('payment_refunded')
    expect(await opened.paidEvents()).toHaveLength(1)
  })

  test('in any order and number, also in parallel', async () => {
    const opened = await shopWithLead()
    const request = await opened.asked()
    await reports.operator!(opened, request)
    for (const paise of [10_000, 5_000, 10_000, 0]) await refundReport(opened, request, paise)
    expect(await paidTotal(opened)).toBe(380)
    const all = [12_000, 20_000, 15_000, 20_000, 10_000]
    await Promise.all(all.map((paise) => refundReport(opened, request, paise)))
    expect(await opened.find(request.id)).toMatchObject({ status: 'paid', refundedPaise: 20_000 })
    expect(await paidTotal(opened)).toBe(280)
  })

  test('reported before its payment', async () => {
    const opened = await shopWithLead()
    const request = await opened.asked()
    const paymentId = await refunded(request, 10_000)
    const { payload } = paymentEvent('payment.captured', { requestId: request.id }, { id: paymentId })
    await gatewayPost(parley, opened.shop, {
      event: 'refund.processed',
      payload: { ...payload, refund: { entity: { id: 'rfnd_1', payment_id: paymentId, amount: 10_000 } } },
    })
    await until(async () => (await opened.find(request.id)).refundedPaise === 10_000, 'the refund is read')
    await gatewayPost(parley, opened.shop, { event: 'payment.captured', payload })
    await gatewayApplied(parley, opened.shop)
    expect(await opened.find(request.id)).toMatchObject({ status: 'paid', refundedPaise: 10_000 })
    expect(await paidTotal(opened)).toBe(380)
    expect(await opened.paidEvents()).toHaveLength(1)
  })

  test.each(['captured', 'link'])(
    'reported before its payment, without the payment in the report, which arrives as %s',
    async (report) => {
      const opened = await shopWithLead()
      const request = await opened.asked()
      const paymentId = await refunded(request, 10_000)
      await gatewayPost(parley, opened.shop, {
        event: 'refund.processed',
        payload: { refund: { entity: { id: 'rfnd_1', payment_id: paymentId, amount: 10_000 } } },
      })
      await gatewayApplied(parley, opened.shop)
      const kept = async () =>
        parley.system((tx) =>
          tx.sql('select payment_id from early_refunds where workspace_id = $1', [opened.shop.workspaceId]),
        )
      await until(async () => (await kept()).length === 1, 'the refund is kept')
      const event = report === 'link' ? 'payment_link.paid' : 'payment.captured'
      const paid = paymentEvent(event, { requestId: request.id }, { id: paymentId })
      await gatewayPost(parley, opened.shop, paid)
      await until(async () => (await opened.find(request.id)).refundedPaise === 10_000, 'the refund is read')
      expect(await opened.find(request.id)).toMatchObject({ status: 'paid', refundedPaise: 10_000 })
      expect(await paidTotal(opened)).toBe(380)
      expect(await kept()).toEqual([])
    },
  )

  test("by at most the request's contribution", async () => {
    const opened = await shopWithLead()
    const [first, second] = [await opened.asked(), await opened.asked()]
    for (const one of [first, second]) await reports.operator!(opened, one)
    for (const paise of [30_000, 48_000, 60_000]) await refundReport(opened, first, paise)
    expect(await opened.find(first.id)).toMatchObject({ status: 'paid', refundedPaise: 48_000 })
    expect(await paidTotal(opened)).toBe(480)
  })

  test('and not that of a lead that was created after the payment', async () => {
    const opened = await realShop(parley, operator)
    const request = await opened.asked()
    await reports.operator!(opened, request)
    await opened.shop.post('/leads', { phone: opened.phone, name: 'Asha Rao' })
    await refundReport(opened, request, 10_000)
    expect(await opened.find(request.id)).toMatchObject({ refundedPaise: 10_000 })
    expect(await paidTotal(opened)).toBe(0)
  })
})

describe('reports about payments of others', () => {
  test('of unknown requests change nothing, and are kept for later analysis', async () => {
    const opened = await shopWithLead()
    const request = await opened.asked()
    const other = await shopWithLead()
    await other.number.report('messages', paymentStatus(request.referenceId))
    for (const requestId of [request.id, '01970f3e-8a6b-7c1d-9e2f-3a4b5c6d7e8f', 'plink of the web shop'])
      await gatewayPost(parley, other.shop, paymentEvent('payment_link.paid', { requestId }))
    await gatewayApplied(parley, other.shop)
    expect((await opened.find(request.id)).status).not.toBe('paid')
    const unread = await parley.system((tx) =>
      tx.sql<{ fields: string[] }>('select fields from unread_updates where workspace_id = $1', [
        other.shop.workspaceId,
      ]),
    )
    expect(unread).toEqual([{ fields: ['messages.statuses.payment'] }])
  })

  test('a payment of an erased customer is assigned to no contact; their link is canceled', async () => {
    const opened = await shopWithLead()
    const request = await opened.asked()
    await opened.shop.delete(`/contacts/${request.contactId}`)
    expect(await opened.shop.get(`/payment-requests/${request.id}`)).toMatchObject({ status: 404 })
    await until(async () => {
      const links = await gateway.store.list(gateway.account, 'payment_link')
      return links.find((link) => link.reference_id === request.id)?.status === 'cancelled'
    }, 'the link is canceled')
    await reports.link!(opened, request)
    await gatewayApplied(parley, opened.shop)
    expect(await opened.paidEvents()).toEqual([])
  })

  test('an inactive payment configuration blocks requests, and an active one allows them again', async () => {
    const opened = await realShop(parley, operator, { configuration: 'shop-rzp' })
    const said = (status: string, name = 'shop-rzp') =>
      opened.number.report('payment_configuration_update', { configuration_name: name, status })
    await said('Needs_Connecting', 'another')
    await opened.asked()
    await said('Needs Connecting')
    await expect(opened.ask()).rejects.toThrow(/409.*needs connecting/)
    await said('Active')
    await opened.asked()
  })
})

test('payment terms that the account has not accepted fail the request, and its number continues to send', async () => {
  const { shop, number, phone, ask, find } = await realShop(parley, operator)
  const armed = await fetch(`${operator.url}/_simulator/faults`, {
    method: 'POST',
    headers: { authorization: 'Bearer operator-token', 'content-type': 'application/json' },
    body: JSON.stringify({
      number: number.operatorId,
      type: 'interactive',
      does: { error: 131005, status: 403 },
    }),
  })
  expect(armed.ok).toBe(true)
  const { id } = await ask()
  await until(async () => (await find(id)).status === 'failed', 'the request has failed')
  expect((await find(id)).failure).toMatchObject({ source: 'message', code: '131005' })
  expect((await shop.get('/phone-numbers')).body.phoneNumbers).toMatchObject([{ state: 'active' }])
  expect((await shop.post('/send', { to: phone, type: 'text', text: 'We are here' })).status).toBe(200)
})
