/**
 * Online shops as the rest of Parley sees them. What they report comes in as `OrderReport` values; what is asked of them goes
 * out through `Shop`. What their APIs look like is known to shopify/, woocommerce/, own/ and simulator/ alone.
 */
import type { IncomingHttpHeaders } from 'node:http'

export type Provider = 'shopify' | 'woocommerce' | 'orders'
export type OrderType = 'order_placed' | 'order_paid' | 'order_shipped' | 'order_cancelled'

/** A number as it was written, maybe without a country code; `country`: that of the address it stands in, if any. */
export type WrittenPhone = { text: string; country: string | null }

/** An order as a shop reported it at some moment, and what had happened to it. */
export type OrderReport = {
  /** The number that its customer knows. */
  reference: string
  /** The shop's own id of it; null when it gives none. */
  externalId: string | null
  /** Which shop it says it is of; null: the one that the integration is. */
  shopId: string | null
  facts: { type: OrderType; at: Date }[]
  /** When it was open, if the report says that it is not cancelled; null: the report does not say. */
  openAt: Date | null
  /** Where the customer left a number, the likeliest first. */
  phones: WrittenPhone[]
  customerName: string | null
  email: string | null
  /** Two decimals at most. */
  total: number | null
  currency: string | null
  url: string | null
  itemCount: number | null
  /** Null: it does not say. */
  cashOnDelivery: boolean | null
  /** When the shop last changed it. */
  changedAt: Date
}

/**
 * Why Parley ignores a report of a shop: it has another topic; it names no order, or no time; the order is only a draft; it is a
 * test notification or a test order.
 */
export type Ignored = 'other_topic' | 'no_order' | 'draft' | 'test'

/** What a request from outside says of itself before its body is known to be the shop's. */
export type DeliveryHead = {
  /** The shop's id of the delivery; null: it gives none that no other delivery has. */
  deliveryId: string | null
  topic: string
  /** Whether the shop marks it as a test notification. */
  isTest?: boolean
}

/** How one kind of shop reports. */
export type ShopFormat = {
  /** Undefined: no such request comes from this kind of shop, whatever its body holds. */
  readHead(headers: IncomingHttpHeaders): DeliveryHead | undefined
  /** Whether exactly these bytes were signed with the secret, compared in constant time. */
  isSigned(signed: { headers: IncomingHttpHeaders; bytes: Buffer; now: Date }, secret: string): boolean
  /** A test that is not signed and says nothing. */
  isPing?(headers: IncomingHttpHeaders, bytes: Buffer): boolean
  /** The order, or why nothing is done about it. Throws SyntaxError for what is no JSON. */
  readOrder(topic: string, bytes: Buffer): OrderReport | Ignored
}

/** How a call ended. */
export type ShopAnswer<Value> =
  | { kind: 'done'; value: Value }
  /** Nothing was done, since `field` of the settings is wrong; null: for another reason. */
  | { kind: 'refused'; field: string | null; message: string; permanent: boolean }
  /** No answer: it may have been done. */
  | { kind: 'unknown'; reason: string }

/** A shop that can be asked. Secrets are in the clear only in memory. */
export type ShopAccount = {
  provider: 'shopify' | 'woocommerce'
  /** Its own address without a slash at the end. */
  url: string
  secrets: Record<string, string>
}

/** What a shop says of itself. */
export type ShopProfile = {
  id: string
  /** ISO 3166 (`IN`); null when it does not say. */
  country: string | null
}

export type OrderMark = { externalId: string; confirmed: boolean }

/** What can be asked of a shop. Every function asks and never rejects. */
export type Shop = {
  /** Who it is, to whoever has its keys. */
  describe(account: ShopAccount): Promise<ShopAnswer<ShopProfile>>
  /** Has it report to `address`, signed with `secret` where it lets us choose one. What is there already is left alone. */
  registerWebhooks(
    account: ShopAccount,
    hook: { address: string; secret: string | undefined },
  ): Promise<ShopAnswer<true>>
  /** Marks an order with its customer's answer, so that whoever packs sees it. Bears being done twice. */
  markOrder(account: ShopAccount, mark: OrderMark): Promise<ShopAnswer<true>>
}

/** The integration of a workspace that is a shop, ready to be called. */
export type ShopConnection = {
  account: ShopAccount
  /** Where it is to report to. */
  intakeUrl: string
  intakeSecret: string | undefined
}

declare module '../core/context.ts' {
  /** What operations and jobs may ask of shops. */
  interface Outside {
    shop: Shop
    /** Undefined when none of this name is connected. */
    shopConnection(workspaceId: string, name: string): Promise<ShopConnection | undefined>
  }
}
