/** The reports of the workspace's own shop, signed like webhooks (spec 6.2, docs/guides/shops.md). */

import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { MINUTE_MS } from '../../core/clock.ts'
import { shortTextOrNull } from '../../core/values/storable.ts'
import { InstantInput } from '../../core/values/text.ts'
import type { Ignored, OrderReport, OrderType, ShopFormat } from '../port.ts'
import {
  currencyIn,
  headerIn,
  idIn,
  isTestReport,
  momentIn,
  moneyIn,
  objectOf,
  phonesIn,
  piecesIn,
  urlIn,
} from '../read.ts'

const TYPES: readonly string[] = ['order_placed', 'order_paid', 'order_shipped', 'order_cancelled']
/** Maximum age of a signature; also how far its time may be ahead of our clock (spec 6.1). */
const MAX_SKEW_MS = 5 * MINUTE_MS

const NAME_MAX = 200
const EMAIL_MAX = 254
const SHOP_ID = /^[\x21-\x7e]{1,120}$/

/** Reads a time with an offset, as in every request to Parley. */
const instantIn = (value: unknown): Date | null => {
  const read = InstantInput.safeParse(value)
  return read.success ? momentIn(read.data.toISOString()) : null
}

function readOrder(_topic: string, bytes: Buffer): OrderReport | Ignored {
  const order = objectOf(bytes)
  if (isTestReport(order)) return 'test'
  const type = TYPES.find((known) => known === order.type) as OrderType | undefined
  const reference = idIn(order.reference, NAME_MAX)
  const time = instantIn(order.occurredAt)
  const { shopId = null, itemCount = null, cashOnDelivery } = order
  if (type === undefined || reference === null || time === null) return 'no_order'
  if (shopId !== null && !(typeof shopId === 'string' && SHOP_ID.test(shopId))) return 'no_order'
  return {
    reference,
    externalId: null,
    shopId,
    facts: [{ type, at: time }],
    // An order placed again after its cancellation is open again.
    openAt: type === 'order_placed' ? time : null,
    phones: phonesIn([order]),
    customerName: shortTextOrNull(order.customerName, NAME_MAX),
    email: shortTextOrNull(order.email, EMAIL_MAX),
    total: moneyIn(order.total),
    currency: currencyIn(order.currency),
    url: urlIn(order.url),
    itemCount: itemCount === null ? null : piecesIn([{ quantity: itemCount }]),
    cashOnDelivery: typeof cashOnDelivery === 'boolean' ? cashOnDelivery : null,
    changedAt: time,
  }
}

const SIGNATURE = /^sha256=([0-9a-f]{64})$/
/** Two are sent while a secret is rotated; no shop sends more than four. */
const MAX_SIGNATURES = 4
const SIGNATURES_LENGTH_MAX = MAX_SIGNATURES * 80

const signaturesIn = (headers: IncomingHttpHeaders): string | null =>
  headerIn(headers, 'x-webhook-signature', SIGNATURES_LENGTH_MAX)

const digestOf = (bytes: Buffer, secret: string, timestamp: string): Buffer =>
  createHmac('sha256', secret).update(`${timestamp}.`).update(bytes).digest()

function isSigned({ headers, bytes, now }: Parameters<ShopFormat['isSigned']>[0], secret: string): boolean {
  const timestamp = headerIn(headers, 'x-webhook-timestamp')
  if (timestamp === null || !/^\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(Number(timestamp) * 1000 - now.getTime()) > MAX_SKEW_MS) return false
  const values = (signaturesIn(headers) ?? '').split(',')
  if (values.length > MAX_SIGNATURES) return false
  const digest = digestOf(bytes, secret, timestamp)
  return values.some((value) => {
    const [, signature] = SIGNATURE.exec(value.trim()) ?? []
    return signature !== undefined && timingSafeEqual(digest, Buffer.from(signature, 'hex'))
  })
}

export const ownFormat: ShopFormat = {
  readHead: (headers) =>
    signaturesIn(headers) === null
      ? undefined
      : { topic: 'order', deliveryId: headerIn(headers, 'x-webhook-id') },
  isSigned,
  readOrder,
}
