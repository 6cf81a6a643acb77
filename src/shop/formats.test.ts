/**
 * Tests the readers of shops' reports (docs/guides/shops.md "Formats"). Complete reports are in test/fixtures/shops
 * (SOURCES.md there).
 */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { SHOP_FORMATS } from './formats.ts'
import { simulatedDelivery } from './simulator/orders.ts'

const read = (provider: keyof typeof SHOP_FORMATS, topic: string, order: unknown) =>
  SHOP_FORMATS[provider].readOrder(topic, Buffer.from(JSON.stringify(order)))

const readWhole = (provider: 'shopify' | 'woocommerce', topic: string, file: string) =>
  SHOP_FORMATS[provider].readOrder(
    topic,
    readFileSync(new URL(`../../test/fixtures/shops/${provider}/${file}.json`, import.meta.url)),
  )

describe('complete reports', () => {
  test.each([
    ['orders/create', 'order_placed', '2026-06-01T04:00:00Z', '2026-06-01T04:00:01Z', true],
    ['orders/paid', 'order_paid', '2026-06-01T04:02:10Z', '2026-06-01T04:02:10Z', false],
    ['orders/fulfilled', 'order_shipped', '2026-06-02T04:29:58Z', '2026-06-02T04:30:00Z', true],
    ['orders/cancelled', 'order_cancelled', '2026-06-01T12:30:00Z', '2026-06-01T12:30:02Z', true],
  ])('shopify %s', (topic, type, time, changedAt, cashOnDelivery) => {
    expect(readWhole('shopify', topic, topic.replace('/', '_'))).toEqual({
      reference: '#1001',
      externalId: '5678901234567',
      shopId: null,
      facts: [{ type, at: new Date(time) }],
      openAt: null,
      phones: [{ text: '098123 45678', country: 'IN' }],
      customerName: 'Asha Rao',
      email: 'asha@example.com',
      total: 2310.5,
      currency: 'INR',
      url: 'https://asha.myshopify.com/1/orders/4f6c0example/authenticate?key=1',
      itemCount: 3,
      cashOnDelivery,
      changedAt: new Date(changedAt),
    })
  })

  test.each([
    ['order.created', 'order_created', { order_placed: '2026-06-01T04:00:00Z' }],
    [
      'order.updated',
      'order_updated_completed',
      { order_paid: '2026-06-03T10:00:00Z', order_shipped: '2026-06-03T10:00:00Z' },
    ],
    ['order.updated', 'order_updated_cancelled', { order_cancelled: '2026-06-01T12:30:00Z' }],
  ])('woocommerce %s %s', (topic, file, facts) => {
    expect(readWhole('woocommerce', topic, file)).toMatchObject({
      reference: '727',
      externalId: '727',
      facts: Object.entries(facts).map(([type, time]) => ({ type, at: new Date(time) })),
      phones: [{ text: '098123 45678', country: 'IN' }],
      customerName: 'Asha Rao',
      email: 'asha@example.com',
      total: 499,
      currency: 'INR',
      itemCount: 1,
      cashOnDelivery: true,
    })
  })
})

describe('shopify', () => {
  const order = {
    id: 5_678_901_234_567,
    admin_graphql_api_id: 'gid://shopify/Order/5678901234567',
    name: '#1001',
    order_number: 1001,
    created_at: '2026-06-01T09:30:00+05:30',
    updated_at: '2026-06-02T10:00:00+05:30',
    cancelled_at: null,
    currency: 'INR',
    total_price: '2400.00',
    current_total_price: '2310.50',
    financial_status: 'pending',
    payment_gateway_names: ['Cash on Delivery (COD)'],
    order_status_url: 'https://asha.myshopify.com/1/orders/4f6c/authenticate?key=1',
    email: 'asha@example.com',
    phone: null,
    customer: { first_name: 'Asha', last_name: 'Rao', phone: '+919812345670' },
    shipping_address: { name: 'Asha Rao', phone: '098123 45678', country_code: 'IN' },
    billing_address: { phone: '+919812345671' },
    fulfillments: [{ created_at: '2026-06-02T08:00:00+05:30' }],
    line_items: [{ quantity: 2 }, { quantity: 1 }],
  }

  test.each([
    ['orders/create', 'order_placed', '2026-06-01T04:00:00.000Z'],
    ['orders/paid', 'order_paid', '2026-06-02T04:30:00.000Z'],
    ['orders/fulfilled', 'order_shipped', '2026-06-02T02:30:00.000Z'],
    ['orders/cancelled', 'order_cancelled', '2026-06-02T04:29:00.000Z'],
  ])('%s is %s', (topic, type, time) => {
    const cancelledAt = type === 'order_cancelled' ? '2026-06-02T09:59:00+05:30' : null
    expect(read('shopify', topic, { ...order, cancelled_at: cancelledAt })).toEqual({
      reference: '#1001',
      externalId: '5678901234567',
      shopId: null,
      facts: [{ type, at: new Date(time) }],
      openAt: null,
      phones: [
        { text: '098123 45678', country: 'IN' },
        { text: '+919812345671', country: 'IN' },
        { text: '+919812345670', country: 'IN' },
      ],
      customerName: 'Asha Rao',
      email: 'asha@example.com',
      total: cancelledAt === null ? 2310.5 : 2400,
      currency: 'INR',
      url: order.order_status_url,
      itemCount: 3,
      cashOnDelivery: true,
      changedAt: new Date('2026-06-02T04:30:00.000Z'),
    })
  })

  test.each([
    [['Cash on Delivery (COD)'], true],
    [['cash_on_delivery'], true],
    [['manual', 'COD'], true],
    [['razorpay'], false],
    [['codfish'], false],
    [['gokwik_cod'], true],
    [['shiprocket_cod'], true],
    [['razorpay_cod'], true],
    [['GoKwikCOD'], true],
    [['razorpayCod'], true],
    [['COD-Partial'], true],
    [['Cash On Delivery (COD) - GoKwik'], true],
    [['cashondelivery'], true],
    [['Pay on Delivery'], true],
    [['payment_on_delivery'], true],
    [['Contra reembolso'], true],
    [['contrareembolso'], true],
    [['Pago contra-entrega'], true],
    [['Nachnahme'], true],
    [['codesign'], false],
    [['Codex Pay'], false],
    [['barcode'], false],
    [['non_cod'], false],
    [['Prepaid (no COD)'], false],
    [undefined, false],
  ])('gateways %j are cash on delivery: %s', (names, cashOnDelivery) => {
    const sent = { ...order, payment_gateway_names: names }
    expect(read('shopify', 'orders/create', sent)).toMatchObject({ cashOnDelivery })
  })

  test('other topics, and reports without an order, are ignored with a reason', () => {
    for (const topic of ['orders/updated', 'constructor', '__proto__'])
      expect(read('shopify', topic, order)).toBe('other_topic')
    expect(read('shopify', 'orders/create', {})).toBe('no_order')
    expect(() => read('shopify', 'orders/create', [])).toThrow(SyntaxError)
  })

  test('a test order is ignored', () => {
    expect(read('shopify', 'orders/create', { ...order, test: true })).toBe('test')
    expect(read('shopify', 'orders/create', { ...order, test: false })).toMatchObject({ reference: '#1001' })
  })

  test('every phone number of an order is kept, each with the country of its address', () => {
    const found = read('shopify', 'orders/create', {
      ...order,
      shipping_address: { phone: 'NA', country_code: 'US' },
      billing_address: { phone: '(312) 555-0142', country: 'Canada' },
    })
    expect(found).toMatchObject({
      phones: [
        { text: 'NA', country: 'US' },
        { text: '(312) 555-0142', country: 'Canada' },
        { text: '+919812345670', country: 'US' },
      ],
    })
  })

  test('invalid fields are omitted instead of rejected', () => {
    const odd = {
      ...order,
      current_total_price: 'much',
      currency: 17,
      order_status_url: 'javascript:alert(1)',
      line_items: [{ quantity: JSON.parse(`${'['.repeat(9_000)}${']'.repeat(9_000)}`) }],
      customer: [],
      shipping_address: { phone: '\u0000' },
      billing_address: null,
    }
    expect(read('shopify', 'orders/create', odd)).toMatchObject({
      total: null,
      currency: null,
      url: null,
      itemCount: 0,
      customerName: null,
      phones: [],
    })
  })
})

describe('woocommerce', () => {
  const order = {
    id: 727,
    number: '1027',
    status: 'processing',
    currency: 'INR',
    total: '499.00',
    date_created_gmt: '2026-06-01T04:00:00',
    date_modified_gmt: '2026-06-01T04:00:10',
    date_paid_gmt: null,
    date_completed_gmt: null,
    payment_method: 'cod',
    payment_method_title: 'Cash on delivery',
    billing: { first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com', phone: '98123 45678' },
    shipping: { phone: '' },
    line_items: [{ quantity: 1 }],
  }
  const late = { ...order, date_modified_gmt: '2026-06-03T04:00:00' }
  const types = (topic: string, of: object) => {
    const found = read('woocommerce', topic, of)
    return typeof found === 'string' ? found : found.facts.map(({ type }) => type)
  }

  test('an order', () => {
    expect(read('woocommerce', 'order.created', order)).toEqual({
      reference: '1027',
      externalId: '727',
      shopId: null,
      facts: [{ type: 'order_placed', at: new Date('2026-06-01T04:00:00Z') }],
      openAt: new Date('2026-06-01T04:00:10Z'),
      phones: [{ text: '98123 45678', country: null }],
      customerName: 'Asha Rao',
      email: 'asha@example.com',
      total: 499,
      currency: 'INR',
      url: null,
      itemCount: 1,
      cashOnDelivery: true,
      changedAt: new Date('2026-06-01T04:00:10Z'),
    })
  })

  test('its status shows its state: completed means shipped', () => {
    const paid = { ...late, date_paid_gmt: '2026-06-02T04:00:00', payment_method: 'razorpay' }
    expect(types('order.updated', paid)).toEqual(['order_paid'])
    expect(types('order.updated', { ...paid, status: 'completed' })).toEqual(['order_paid', 'order_shipped'])
    expect(types('order.updated', { ...late, status: 'cancelled' })).toEqual(['order_cancelled'])
    expect(types('order.updated', { ...late, status: 'on-hold' })).toEqual([])
  })

  test('a reopened order is open again, and a failed one does not say', () => {
    for (const status of ['pending', 'on-hold', 'processing', 'completed'])
      expect(read('woocommerce', 'order.updated', { ...late, status })).toMatchObject({
        openAt: new Date('2026-06-03T04:00:00Z'),
      })
    for (const status of ['cancelled', 'failed', 'refunded'])
      expect(read('woocommerce', 'order.updated', { ...late, status })).toMatchObject({ openAt: null })
  })

  test('a ping is a test, signed or not', () => {
    expect(SHOP_FORMATS.woocommerce.readOrder('', Buffer.from('webhook_id=17'))).toBe('test')
    expect(read('woocommerce', 'order.created', { ...order, test: true })).toBe('test')
  })

  test('a customer at the checkout has not ordered yet, and the first report after it is of an order', () => {
    expect(read('woocommerce', 'order.created', { ...order, status: 'checkout-draft' })).toBe('draft')
    expect(types('order.updated', order)).toEqual(['order_placed'])
    expect(types('order.updated', late)).toEqual([])
    expect(read('woocommerce', 'order.deleted', order)).toBe('other_topic')
  })
})

describe('the simulator reports as the shops do', () => {
  test.each(['shopify', 'woocommerce'] as const)('%s', (store) => {
    const time = new Date('2026-06-01T04:00:00.000Z')
    const change = {
      workspaceId: '01970f3e-8a6b-7c1d-9e2f-3a4b5c6d7e8f',
      store,
      type: 'order_placed',
      reference: 'R-1',
      from: '+919812345678',
      name: null,
    } as const
    const { topic, bytes } = simulatedDelivery({
      ...change,
      total: 10,
      currency: 'INR',
      cod: false,
      at: time,
    })
    expect(SHOP_FORMATS[store].readOrder(topic, bytes)).toMatchObject({
      reference: 'R-1',
      facts: [{ type: 'order_placed', at: time }],
      phones: [{ text: '+919812345678', country: 'IN' }],
      customerName: null,
      total: 10,
      cashOnDelivery: false,
    })
  })
})
