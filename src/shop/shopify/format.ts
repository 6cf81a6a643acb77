/** Shopify's reports of orders (docs/guides/shops.md "Formats"). */
import { isObject, shortTextOrNull } from '../../core/values/storable.ts'
import type { Ignored, OrderReport, OrderType, ShopFormat, WrittenPhone } from '../port.ts'
import {
  currencyIn,
  headerIn,
  idIn,
  isCashOnDelivery,
  isSignedInBase64,
  isTestReport,
  type Json,
  momentIn,
  moneyIn,
  nameIn,
  objectOf,
  phonesIn,
  piecesIn,
  urlIn,
} from '../read.ts'

/** The meaning of each topic; the reports of one order arrive in any order. */
const TYPES = new Map<string, OrderType>([
  ['orders/create', 'order_placed'],
  ['orders/paid', 'order_paid'],
  ['orders/fulfilled', 'order_shipped'],
  ['orders/cancelled', 'order_cancelled'],
])

const NAME_MAX = 200
const EMAIL_MAX = 254

const part = (of: Json, name: string): Json => {
  const value = of[name]
  return isObject(value) ? value : {}
}

/** Returns the customer's phone numbers, most likely first. */
const phonesOf = (order: Json): WrittenPhone[] => {
  const customer = part(order, 'customer')
  return phonesIn([
    { phone: order.phone },
    order.shipping_address,
    order.billing_address,
    { phone: customer.phone },
    customer.default_address,
  ])
}

const nameOf = (order: Json): string | null =>
  nameIn(order.customer) ??
  shortTextOrNull(part(order, 'shipping_address').name, NAME_MAX) ??
  shortTextOrNull(part(order, 'billing_address').name, NAME_MAX)

function shippedAt(order: Json): Date | null {
  const times = Array.isArray(order.fulfillments)
    ? order.fulfillments.map((fulfillment) =>
        isObject(fulfillment) ? momentIn(fulfillment.created_at) : null,
      )
    : []
  return times.filter((time) => time !== null).at(-1) ?? null
}

function happenedAt(type: OrderType, order: Json): Date | null {
  if (type === 'order_placed') return momentIn(order.created_at)
  if (type === 'order_shipped') return shippedAt(order)
  if (type === 'order_cancelled') return momentIn(order.cancelled_at)
  return null
}

/** Returns the current total; for a canceled order, whose current total is zero, the original total. */
const totalOf = (order: Json): number | null =>
  moneyIn(
    momentIn(order.cancelled_at) === null
      ? (order.current_total_price ?? order.total_price)
      : order.total_price,
  )

function readOrder(topic: string, bytes: Buffer): OrderReport | Ignored {
  const type = TYPES.get(topic)
  const order = objectOf(bytes)
  const changedAt = momentIn(order.updated_at) ?? momentIn(order.created_at)
  const reference = shortTextOrNull(order.name, NAME_MAX) ?? idIn(order.order_number)
  if (type === undefined) return 'other_topic'
  if (isTestReport(order)) return 'test'
  if (changedAt === null || reference === null) return 'no_order'
  const gateways = Array.isArray(order.payment_gateway_names) ? order.payment_gateway_names : [order.gateway]
  return {
    reference,
    externalId: idIn(order.id),
    shopId: null,
    facts: [{ type, at: happenedAt(type, order) ?? changedAt }],
    // Shopify never reopens a canceled order.
    openAt: null,
    phones: phonesOf(order),
    customerName: nameOf(order),
    email:
      shortTextOrNull(order.email, EMAIL_MAX) ?? shortTextOrNull(part(order, 'customer').email, EMAIL_MAX),
    total: totalOf(order),
    currency: currencyIn(order.currency),
    url: urlIn(order.order_status_url),
    itemCount: piecesIn(order.line_items),
    cashOnDelivery: gateways.some(isCashOnDelivery),
    changedAt,
  }
}

export const shopifyFormat: ShopFormat = {
  readHead: (headers) => {
    const topic = headerIn(headers, 'x-shopify-topic')
    if (topic === null || headerIn(headers, 'x-shopify-hmac-sha256') === null) return undefined
    return {
      topic,
      deliveryId: headerIn(headers, 'x-shopify-webhook-id'),
      isTest: headerIn(headers, 'x-shopify-test')?.toLowerCase() === 'true',
    }
  },
  isSigned: ({ headers, bytes }, secret) =>
    isSignedInBase64(headerIn(headers, 'x-shopify-hmac-sha256'), bytes, secret),
  readOrder,
}
