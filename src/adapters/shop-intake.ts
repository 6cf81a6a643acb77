/** Connects the shops' addresses to the processing of their reports. */
import { createHash } from 'node:crypto'
import type { Clock } from '../core/clock.ts'
import type { Database } from '../core/context.ts'
import { invalid, refuse } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import type { Sealer } from '../core/sealing.ts'
import type { ShopIntake } from '../http/callbacks/shop-intake.ts'
import { receiveShopDelivery } from '../modules/automating/integrations/operations/intake.ts'
import {
  findShopByToken,
  type ListeningShop,
} from '../modules/automating/integrations/operations/listening-shops.ts'
import { SHOP_FORMATS } from '../shop/formats.ts'
import type { DeliveryHead, Ignored, OrderReport } from '../shop/port.ts'

const MAX_REMEMBERED = 10_000

const OWN_BODY =
  'Must be an order: type (order_placed, order_paid, order_shipped or order_cancelled), reference and occurredAt, a time with an offset.'

/** Returns the delivery's own id, or else one derived from its content. */
const deliveryIdOf = ({ deliveryId, topic }: DeliveryHead, bytes: Buffer): string =>
  deliveryId ?? createHash('sha256').update(topic).update('\n').update(bytes).digest('hex')

/** Reads an order from a signed body, or the reason to ignore it. */
function readOrder(
  { provider }: ListeningShop,
  { topic, isTest = false }: DeliveryHead,
  bytes: Buffer,
): OrderReport | Ignored {
  if (isTest) return 'test'
  try {
    return SHOP_FORMATS[provider].readOrder(topic, bytes)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return refuse('invalid_json', "The body isn't a JSON object.")
  }
}

/** Provides the secrets and the intake for the addresses of shops. */
export function shopIntake(parts: {
  database: Database
  clock: Clock
  sealer: Sealer
}): ShopIntake<ListeningShop> {
  const { database, clock, sealer } = parts
  /** Addresses that existed at the last look-up; the shop itself is looked up each time. */
  const knownShops = new Set<string>()
  return {
    async find(token) {
      const shop = await findShopByToken({ query: database.query, sealer }, token)
      knownShops.delete(token)
      if (!shop) return undefined
      if (knownShops.size >= MAX_REMEMBERED) knownShops.clear()
      knownShops.add(token)
      return shop
    },
    remembers: (token) => knownShops.has(token),
    mayCome: ({ provider }, headers) => SHOP_FORMATS[provider].readHead(headers) !== undefined,
    isSigned: ({ provider, secret }, headers, bytes) =>
      SHOP_FORMATS[provider].isSigned({ headers, bytes, now: clock.now() }, secret),
    isPing: ({ provider }, headers, bytes) => SHOP_FORMATS[provider].isPing?.(headers, bytes) ?? false,
    async receive(shop, headers, bytes) {
      const head = SHOP_FORMATS[shop.provider].readHead(headers)!
      const order = readOrder(shop, head, bytes)
      const isIgnored = typeof order === 'string'
      if (isIgnored && order !== 'test' && shop.provider === 'orders')
        throw invalid([{ path: '', message: OWN_BODY }])
      const { workspaceId, name: integration, provider, shopId } = shop
      const now = clock.now()
      await database.tenantIds([workspaceId], (unit) =>
        receiveShopDelivery(unit, {
          workspaceId,
          id: newId(),
          integration,
          provider,
          shopId,
          deliveryId: deliveryIdOf(head, bytes),
          topic: head.topic,
          ...(isIgnored
            ? { reference: null, types: [], outcome: order, raw: null }
            : {
                reference: order.reference,
                types: order.facts.map(({ type }) => type),
                outcome: null,
                raw: bytes,
              }),
          runAt: now,
          receivedAt: now,
        }),
      )
    },
  }
}
