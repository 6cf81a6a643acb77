/**
 * The port to online shops. Reports arrive as `OrderReport` values; calls go out through `Shop`. Only
 * shopify/, woocommerce/, own/, and simulator/ know the shops' APIs.
 */
import type { IncomingHttpHeaders } from 'node:http'

export type Provider = 'shopify' | 'woocommerce' | 'orders'
export type OrderType = 'order_placed' | 'order_paid' | 'order_shipped' | 'order_cancelled'

/** A phone number as written, possibly without country code; `country`: that of its address, if any. */
export type WrittenPhone = { text: string; country: string | null }

/** An order's state, as reported by a shop. */
export type OrderReport = {
  /** The order number that the customer knows. */
  reference: string
  /** The shop's own id of the order; null if it gives none. */
  externalId: string | null
  /** The shop that the report names; null: the shop of the integration. */
  shopId: string | null
  facts: { type: OrderType; at: Date }[]
  /** When it was open, if the report says that it is not canceled; null: the report does not say. */
  openAt: Date | null
  /** The customer's phone numbers, most likely first. */
  phones: WrittenPhone[]
  customerName: string | null
  email: string | null
  /** At most two decimals. */
  total: number | null
  currency: string | null
  url: string | null
  itemCount: number | null
  /** Null: the report does not say. */
  cashOnDelivery: boolean | null
  /** When the shop last changed it. */
  changedAt: Date
}

/**
 * Why Parley ignores a shop's report: another topic; no order or no time; a draft order; a test notification
 * or a test order.
 */
export type Ignored = 'other_topic' | 'no_order' | 'draft' | 'test'

/** The headers of a delivery, read before its body is verified. */
export type DeliveryHead = {
  /** The shop's id of the delivery; null: it gives no unique id. */
  deliveryId: string | null
  topic: string
  /** True if the shop marks the notification as a test. */
  isTest?: boolean
}

/** The report format of one kind of shop. */
export type ShopFormat = {
  /** Reads the headers; undefined if this kind of shop never sends requests with these headers. */
  readHead(headers: IncomingHttpHeaders): DeliveryHead | undefined
  /** Returns whether exactly these bytes were signed with the secret, compared in constant time. */
  isSigned(signed: { headers: IncomingHttpHeaders; bytes: Buffer; now: Date }, secret: string): boolean
  /** Returns whether it is an unsigned test without content. */
  isPing?(headers: IncomingHttpHeaders, bytes: Buffer): boolean
  /** Returns the order, or why it is ignored. Throws SyntaxError if the body is not JSON. */
  readOrder(topic: string, bytes: Buffer): OrderReport | Ignored
}

/** The outcome of a call. */
export type ShopAnswer<Value> =
  | { kind: 'done'; value: Value }
  /** The call had no effect, because `field` of the settings is wrong; null: for another reason. */
  | { kind: 'refused'; field: string | null; message: string; permanent: boolean }
  /** No answer: it may have taken effect. */
  | { kind: 'unknown'; reason: string }

/** A shop that accepts calls. Secrets are in plain text only in memory. */
export type ShopAccount = {
  provider: 'shopify' | 'woocommerce'
  /** Its own address without a final slash. */
  url: string
  secrets: Record<string, string>
}

/** A shop's own details. */
export type ShopProfile = {
  id: string
  /** ISO 3166 (`IN`); null if the shop does not say. */
  country: string | null
}

export type OrderMark = { externalId: string; confirmed: boolean }

/** The calls to a shop. No function rejects. */
export type Shop = {
  /** Returns the shop's details. */
  describe(account: ShopAccount): Promise<ShopAnswer<ShopProfile>>
  /**
   * Registers webhooks to `address`, signed with `secret` if the shop lets us choose one. Keeps existing
   * webhooks.
   */
  registerWebhooks(
    account: ShopAccount,
    hook: { address: string; secret: string | undefined },
  ): Promise<ShopAnswer<true>>
  /** Marks an order with its customer's answer for the person who packs it. Repeating it is harmless. */
  markOrder(account: ShopAccount, mark: OrderMark): Promise<ShopAnswer<true>>
}

/** A workspace's integration with a shop, ready for calls. */
export type ShopConnection = {
  account: ShopAccount
  /** The address that the shop reports to. */
  intakeUrl: string
  intakeSecret: string | undefined
}

declare module '../core/context.ts' {
  /** The shop calls available to operations and jobs. */
  interface Outside {
    shop: Shop
    /** Returns the connected shop; undefined if none with this name is connected. */
    shopConnection(workspaceId: string, name: string): Promise<ShopConnection | undefined>
  }
}
