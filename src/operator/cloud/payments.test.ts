/** Tests how each example of a payment in the chat is read, and that our requests match the examples. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { OrderDetailsMessage, OrderStatusMessage } from '../message-payload/order.ts'
import type { OperatorNumber } from '../port.ts'
import type { Report } from '../report.ts'
import { createCloudOperator } from './operator.ts'
import { readWebhook } from './reports.ts'

const read = (name: string) =>
  JSON.parse(
    readFileSync(join(import.meta.dirname, '../../../test/fixtures/operator', `${name}.json`), 'utf8'),
  )
const readSingleReport = (name: string): Report => {
  const reports = readWebhook(read(name)).flatMap((webhook) => webhook.reports)
  expect(reports).toHaveLength(1)
  return reports[0]!
}

const paid = {
  state: 'captured',
  amountPaise: 48_000,
  currency: 'INR',
  paymentId: 'pay_OsAaBbCcDdEeFf',
  method: 'upi',
  at: new Date(1_767_168_595_000),
  refundedPaise: 0,
  failure: null,
}
const reported = (payment: object): object => ({ kind: 'payment', referenceId: 'ORD-1001', payment })

describe('a payment status (docs/formats.md section 13)', () => {
  test.each([
    ['status_captured', paid],
    ['status_captured_with_refund', { ...paid, refundedPaise: 10_000 }],
    [
      'status_pending_attempt_failed',
      { ...paid, state: 'failed', failure: { code: 'BAD_REQUEST_ERROR', message: 'payment_failed' } },
    ],
    ['status_pending_attempt_pending', { ...paid, state: 'pending' }],
  ])('%s is not a receipt of its message', (name, payment) => {
    expect(readSingleReport(`payments-in/${name}`)).toEqual(reported(payment))
  })

  test('without a transaction is captured at its own time', () => {
    expect(readSingleReport('payment_status')).toEqual(
      reported({ ...paid, paymentId: null, method: null, at: new Date(1_767_168_600_000) }),
    )
  })

  const changed = (change: (payment: Record<string, unknown>, status: Record<string, unknown>) => void) => {
    const body = read('payments-in/status_captured')
    const [status] = body.entry[0].changes[0].value.statuses
    change(status.payment, status)
    return readWebhook(body)[0]!.reports
  }

  test('counts as captured only if its transaction succeeded', () => {
    const state = (status: string) =>
      (
        changed((payment) => {
          payment.transaction = { ...(payment.transaction as object), status }
        })[0] as { payment: { state: string } }
      ).payment.state
    expect([state('success'), state('pending'), state('failed')]).toEqual(['captured', 'pending', 'failed'])
  })

  test.each([
    ['half a paisa', { amount: { value: 1, offset: 1_000 } }],
    ['an amount in words', { amount: { value: '480.00', offset: 100 } }],
    ['no offset', { amount: { value: 48_000 } }],
    ['an offset of nothing', { amount: { value: 48_000, offset: 0 } }],
    ['no amount', { amount: null }],
    ['no reference', { reference_id: '' }],
    ['no currency', { currency: null }],
  ])('with %s is ignored', (_, more) => {
    const reports = changed((payment) => Object.assign(payment, more))
    expect(reports).toEqual([{ kind: 'unrecognized', field: 'messages.statuses.payment' }])
  })

  test('may have its numbers as texts, its reference as a number, and no time', () => {
    const reports = changed((payment, status) => {
      Object.assign(payment, { amount: { value: '48000', offset: '100' }, reference_id: 1001 })
      delete payment.transaction
      delete status.timestamp
    })
    expect(reports).toMatchObject([
      { referenceId: '1001', payment: { state: 'captured', amountPaise: 48_000 } },
    ])
  })

  test('in whole units is converted to paise', () => {
    const [report] = changed((payment) => {
      payment.amount = { value: 480, offset: 1 }
    })
    expect(report).toMatchObject({ payment: { amountPaise: 48_000 } })
  })
})

describe("the operator's answers", () => {
  const number: OperatorNumber = {
    id: 'number-1',
    operator: 'cloud',
    operatorId: '106',
    accountId: '102',
    token: 'token-1',
    baseUrl: '',
  }
  const answerWith = async <T>(body: unknown, callOperator: (number: OperatorNumber) => Promise<T>) => {
    const paths: string[] = []
    const server = createServer((req, res) => {
      paths.push(`${req.method} ${req.url}`)
      res.end(JSON.stringify(body))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      return { answered: await callOperator({ ...number, baseUrl }), paths }
    } finally {
      server.closeAllConnections()
      server.close()
    }
  }
  const operator = createCloudOperator()

  test('lookup_response: the payments of the requested order', async () => {
    const lookUp = (referenceId: string) =>
      answerWith(read('payment-calls/lookup_response'), (number) =>
        operator.findPayments(number, { configuration: 'shop/rzp', referenceId }),
      )
    const { answered, paths } = await lookUp('ORD-1001')
    expect(answered).toEqual({ kind: 'done', value: [paid] })
    expect(paths).toEqual(['GET /v24.0/106/payments/shop%2Frzp/ORD-1001'])
    expect((await lookUp('ORD-1002')).answered).toEqual({ kind: 'done', value: [] })
  })

  test('payment_configurations_response: each with its status in one spelling', async () => {
    const { answered, paths } = await answerWith(
      read('payment-calls/payment_configurations_response'),
      (number) => operator.listPaymentConfigurations(number),
    )
    expect(answered).toEqual({ kind: 'done', value: [{ name: 'shop-rzp', status: 'active' }] })
    expect(paths).toEqual(['GET /v24.0/102/payment_configurations'])
  })
})

describe('the messages that the operator accepts', () => {
  test('send_order_details_gateway and send_order_status match our schemas', () => {
    const details = read('payment-calls/send_order_details_gateway').interactive
    expect(OrderDetailsMessage.parse(details)).toEqual(details)
    const status = read('payment-calls/send_order_status').interactive
    expect(OrderStatusMessage.parse(status)).toEqual(status)
  })

  test.each([
    [
      'a total that does not add up',
      (p: Loose) => {
        p.total_amount.value = 1
      },
      /Must be subtotal plus tax plus shipping/,
    ],
    [
      'a subtotal that is not that of its items',
      (p: Loose) => {
        p.order.subtotal.value = 1
      },
      /sum of the items/,
    ],
    [
      'no tax',
      (p: Loose) => {
        delete p.order.tax
      },
      /Required/,
    ],
    [
      'a reference of 36 characters',
      (p: Loose) => {
        p.reference_id = 'x'.repeat(36)
      },
      /1 to 35/,
    ],
    [
      'no payment settings',
      (p: Loose) => {
        p.payment_settings = []
      },
      /at least 1/,
    ],
    [
      'an item without importer',
      (p: Loose) => {
        delete p.order.items[0].importer_name
      },
      /Required/,
    ],
  ])('an order with %s is rejected', (_, corrupt, message) => {
    const details = read('payment-calls/send_order_details_gateway').interactive
    corrupt(details.action.parameters)
    expect(OrderDetailsMessage.safeParse(details).error?.message).toMatch(message)
  })
})

// biome-ignore lint/suspicious/noExplicitAny: bodies as the operator writes them
type Loose = any
