/** Creates the reports of simulated shops in the real formats, so that all later processing is the same. */
import { randomUUID } from 'node:crypto'
import { sha256 } from '../../core/values/digest.ts'
import type { OrderType } from '../port.ts'

export const SIMULATED_STORES = ['shopify', 'woocommerce'] as const
export type SimulatedStore = (typeof SIMULATED_STORES)[number]

/** The ids of the simulated shops. */
export const SIMULATED_SHOP_IDS: Record<SimulatedStore, string> = {
  shopify: 'simulated.myshopify.com',
  woocommerce: 'shop.simulated.example',
}

export type SimulatedOrder = {
  workspaceId: string
  store: SimulatedStore
  type: OrderType
  reference: string
  /** As the customer wrote it; null: the customer left none. */
  from: string | null
  name: string | null
  total: number
  currency: string
  cod: boolean
  at: Date
}

export type SimulatedDelivery = { deliveryId: string; topic: string; bytes: Buffer; shopId: string }

/**
 * Returns hexadecimal digits from which the shop's id of an order is derived, the same in each report of it.
 */
const digestOf = ({ workspaceId, store, reference }: SimulatedOrder): string =>
  sha256(JSON.stringify([workspaceId, store, reference])).toString('hex')
const idOf = (order: SimulatedOrder): number => Number.parseInt(digestOf(order).slice(0, 8), 16)

const CUSTOMER_ADDRESS = { city: 'Pune', country: 'IN' }

/** Splits a name into first and last name. */
const names = (name: string | null): [string, string] => {
  const [first = '', ...rest] = (name ?? '').split(' ')
  return [first, rest.join(' ')]
}

const SHOPIFY_TOPICS: Record<OrderType, string> = {
  order_placed: 'orders/create',
  order_paid: 'orders/paid',
  order_shipped: 'orders/fulfilled',
  order_cancelled: 'orders/cancelled',
}

function shopifyOrder(order: SimulatedOrder) {
  const { type, reference, from, name, total, currency, cod, at } = order
  const [firstName, lastName] = names(name)
  const time = at.toISOString()
  const price = total.toFixed(2)
  const address = { first_name: firstName, last_name: lastName, name, phone: from, ...CUSTOMER_ADDRESS }
  return {
    id: idOf(order),
    name: reference,
    created_at: time,
    updated_at: time,
    cancelled_at: type === 'order_cancelled' ? time : null,
    currency,
    total_price: price,
    current_total_price: price,
    financial_status: type === 'order_paid' ? 'paid' : 'pending',
    fulfillment_status: type === 'order_shipped' ? 'fulfilled' : null,
    fulfillments: type === 'order_shipped' ? [{ created_at: time, status: 'success' }] : [],
    payment_gateway_names: [cod ? 'Cash on Delivery (COD)' : 'upi'],
    order_status_url: `https://${SIMULATED_SHOP_IDS.shopify}/orders/${digestOf(order).slice(8, 40)}`,
    phone: from,
    customer: { first_name: firstName, last_name: lastName, phone: from },
    shipping_address: address,
    line_items: [{ title: 'Kurta', quantity: 1, price }],
  }
}

const WOO_STATUSES: Record<OrderType, string> = {
  order_placed: 'on-hold',
  order_paid: 'processing',
  order_shipped: 'completed',
  order_cancelled: 'cancelled',
}

function wooOrder(order: SimulatedOrder) {
  const { type, reference, from, name, total, currency, cod, at } = order
  const [firstName, lastName] = names(name)
  const time = at.toISOString().slice(0, 19)
  const person = { first_name: firstName, last_name: lastName, phone: from ?? '', ...CUSTOMER_ADDRESS }
  return {
    id: idOf(order),
    number: reference,
    status: WOO_STATUSES[type],
    currency,
    total: total.toFixed(2),
    // A simulated change has an old creation date, so that it is not also read as a new order.
    date_created_gmt: type === 'order_placed' ? time : '2020-01-01T00:00:00',
    date_modified_gmt: time,
    date_paid_gmt: type === 'order_paid' ? time : null,
    date_completed_gmt: type === 'order_shipped' ? time : null,
    payment_method: cod ? 'cod' : 'upi',
    payment_method_title: cod ? 'Cash on delivery' : 'UPI',
    billing: person,
    shipping: person,
    line_items: [{ name: 'Kurta', quantity: 1, total: total.toFixed(2) }],
  }
}

/** Returns the shop's report of an order. */
export const simulatedDelivery = (order: SimulatedOrder): SimulatedDelivery => ({
  deliveryId: randomUUID(),
  shopId: SIMULATED_SHOP_IDS[order.store],
  ...(order.store === 'shopify'
    ? { topic: SHOPIFY_TOPICS[order.type], bytes: Buffer.from(JSON.stringify(shopifyOrder(order))) }
    : {
        topic: order.type === 'order_placed' ? 'order.created' : 'order.updated',
        bytes: Buffer.from(JSON.stringify(wooOrder(order))),
      }),
})
