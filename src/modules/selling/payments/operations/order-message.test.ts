/** The messages to customers match the operator's documentation (docs/formats.md section 13). */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Workspace } from '../../../../core/context.ts'
import { OrderDetailsMessage, OrderStatusMessage } from '../../../../operator/message-payload/order.ts'
import { orderCancelled, orderDetails } from './order-message.ts'

const example = (name: string) =>
  JSON.parse(
    readFileSync(
      join(import.meta.dirname, `../../../../../test/fixtures/operator/payment-calls/${name}.json`),
      'utf8',
    ),
  ).interactive

const workspace = { name: 'Asha Traders' } as Workspace
const importer = {
  name: 'Asha Traders',
  address: { line: '12 MG Road', city: 'Bengaluru', zone: 'KA', postalCode: '560001' },
}
const orderFields = {
  id: '0b9c…',
  referenceId: 'ORD-1001',
  items: [{ name: 'Kurta', quantity: 2, unitPaise: 22_000 }],
  shippingPaise: 4_000,
  totalPaise: 48_000,
  body: 'Please pay for order ORD-1001',
  expiresAt: new Date(1_767_172_200_000),
  createdAt: new Date(1_767_168_600_000),
  configuration: 'shop-rzp',
  linkUrl: null,
}

describe('the order with a payment request', () => {
  test("with the operator's payment configuration is send_order_details_gateway", () => {
    expect(orderDetails(orderFields, { importer, workspace })).toEqual(example('send_order_details_gateway'))
  })

  test('with a payment link contains the link, and has the documented shape', () => {
    const linkUrl = 'https://rzp.io/i/x'
    const order = orderDetails({ ...orderFields, configuration: null, linkUrl }, { importer, workspace })
    expect(order).toMatchObject({
      action: {
        parameters: {
          payment_type: 'upi',
          payment_settings: [{ type: 'payment_link', payment_link: { uri: linkUrl } }],
        },
      },
    })
    expect(OrderDetailsMessage.parse(order)).toEqual(order)
  })

  test('shows an end that the operator accepts even if the hand-over is a moment later', () => {
    const expiresAt = new Date(orderFields.createdAt.getTime() + 300_000)
    const order = orderDetails({ ...orderFields, expiresAt }, { importer, workspace })
    expect(order).toMatchObject({
      action: { parameters: { order: { expiration: { timestamp: String(1_767_168_600 + 360) } } } },
    })
  })

  test('without an importer names the business; without an end has none', () => {
    const order = orderDetails({ ...orderFields, expiresAt: null }, { importer: null, workspace })
    expect(OrderDetailsMessage.parse(order)).toEqual(order)
    expect(order).toMatchObject({
      action: {
        parameters: { order: { items: [{ importer_name: 'Asha Traders', country_of_origin: 'India' }] } },
      },
    })
    expect(JSON.stringify(order)).not.toContain('expiration')
  })
})

test('the canceled order has the shape of send_order_status', () => {
  const status = orderCancelled('ORD-1001', 'We are out of blue.')
  expect(OrderStatusMessage.parse(status)).toEqual(status)
  const exampleStatus = example('send_order_status')
  expect(Object.keys(status).sort()).toEqual(Object.keys(exampleStatus).sort())
  expect(status.action.name).toBe(exampleStatus.action.name)
})
