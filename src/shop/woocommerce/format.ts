/** WooCommerce's reports of orders (docs/guides/shops.md "Formats"). */
import { HOUR_MS } from '../../core/clock.ts'
import { isObject, shortTextOrNull } from '../../core/values/storable.ts'
import type { Ignored, OrderReport, ShopFormat } from '../port.ts'
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
} from '../read.ts'

const CREATED = 'order.created'
const TOPICS = [CREATED, 'order.updated']
/** Not orders yet: the customer is at the checkout. */
const DRAFTS = ['checkout-draft', 'auto-draft', 'trash']
/** A draft that becomes an order is never reported as created: its first report arrives within this time. */
const FRESH_MS = HOUR_MS

/** Statuses of orders that are not canceled; others, such as `failed` and `refunded`, do not say. */
const OPEN = ['pending', 'on-hold', 'processing', 'completed']

const EMAIL_MAX = 254

/** Reads a GMT time, which is written without a zone. */
const gmtTimeIn = (order: Json, name: string): Date | null => momentIn(order[`${name}_gmt`])

function factsOf(topic: string, order: Json, { createdAt, changedAt }: { createdAt: Date; changedAt: Date }) {
  const facts: OrderReport['facts'] = []
  if (topic === CREATED || changedAt.getTime() - createdAt.getTime() <= FRESH_MS)
    facts.push({ type: 'order_placed', at: createdAt })
  const paidAt = gmtTimeIn(order, 'date_paid')
  if (paidAt) facts.push({ type: 'order_paid', at: paidAt })
  if (order.status === 'completed')
    facts.push({ type: 'order_shipped', at: gmtTimeIn(order, 'date_completed') ?? changedAt })
  if (order.status === 'cancelled') facts.push({ type: 'order_cancelled', at: changedAt })
  return facts
}

const PING = /^webhook_id=\d{1,20}$/
const PING_BYTES = 40
/** WooCommerce sends this form when a webhook is saved, with or without a signature. */
const isPing = (bytes: Buffer): boolean => bytes.length <= PING_BYTES && PING.test(bytes.toString('latin1'))

function readOrder(topic: string, bytes: Buffer): OrderReport | Ignored {
  if (isPing(bytes)) return 'test'
  const order = objectOf(bytes)
  const changedAt = gmtTimeIn(order, 'date_modified') ?? gmtTimeIn(order, 'date_created')
  const reference = idIn(order.number) ?? idIn(order.id)
  if (!TOPICS.includes(topic)) return 'other_topic'
  if (isTestReport(order)) return 'test'
  if (DRAFTS.some((draft) => draft === order.status)) return 'draft'
  if (changedAt === null || reference === null) return 'no_order'
  const [billing, shipping] = [order.billing, order.shipping].map(
    (address): Json => (isObject(address) ? address : {}),
  )
  const { payment_method: method, payment_method_title: title } = order
  return {
    reference,
    externalId: idIn(order.id),
    shopId: null,
    facts: factsOf(topic, order, { createdAt: gmtTimeIn(order, 'date_created') ?? changedAt, changedAt }),
    openAt: OPEN.some((open) => open === order.status) ? changedAt : null,
    phones: phonesIn([billing, shipping]),
    customerName: nameIn(billing) ?? nameIn(shipping),
    email: shortTextOrNull(billing?.email, EMAIL_MAX),
    total: moneyIn(order.total),
    currency: currencyIn(order.currency),
    // Its only links are to its payment page and its record in the API.
    url: null,
    itemCount: piecesIn(order.line_items),
    cashOnDelivery: method === 'cod' || isCashOnDelivery(method) || isCashOnDelivery(title),
    changedAt,
  }
}

export const wooFormat: ShopFormat = {
  readHead: (headers) => ({
    topic: headerIn(headers, 'x-wc-webhook-topic') ?? '',
    // Its delivery id is made of the webhook and the second: orders that change together would share it.
    deliveryId: null,
  }),
  isSigned: ({ headers, bytes }, secret) =>
    isSignedInBase64(headerIn(headers, 'x-wc-webhook-signature'), bytes, secret),
  isPing: (headers, bytes) => headers['x-wc-webhook-signature'] === undefined && isPing(bytes),
  readOrder,
}
