/**
 * The payment gateway as the rest of Parley sees it. Calls go out through `Gateway`; what it reports comes back as
 * `GatewayReport` values. What the gateway's HTTP API looks like is known to razorpay/ and simulator/ alone.
 * Amounts are whole paise.
 */

/** Whose account is spoken for. Secrets are in the clear only in memory. */
export type GatewayAccount = {
  /** Base address of the gateway's API with its version, without a slash at the end. */
  baseUrl: string
  keyId: string
  keySecret: string
}

/** A payment link to be made. The gateway makes one for each `reference` at most. */
export type NewLink = {
  /** Our id of the payment request. */
  reference: string
  amountPaise: number
  description: string
  customer: { name: string | null; phone: string | null }
  /** Null: it stays open until it is cancelled. */
  expiresAt: Date | null
  notes: Record<string, string>
}

export type LinkStatus = 'created' | 'partially_paid' | 'paid' | 'expired' | 'cancelled'

/** A payment, or an attempt at one. */
export type GatewayPayment = {
  id: string
  amountPaise: number
  currency: string
  state: 'pending' | 'captured' | 'failed'
  /** upi, card, netbanking, wallet …; null when the gateway does not say. */
  method: string | null
  at: Date
  refundedPaise: number
  /** Why an attempt failed. */
  failure: { code: string; message: string } | null
}

export type PaymentLink = {
  id: string
  /** Where the customer pays. */
  url: string
  reference: string | null
  status: LinkStatus
  amountPaise: number
  payments: GatewayPayment[]
}

/** An order that the operator made at the gateway for a payment in the chat. */
export type GatewayOrder = { id: string; payments: GatewayPayment[] }

/** A sum that was given back; `processed` says that it is on its way to the customer. */
export type GatewayRefund = { id: string; amountPaise: number; processed: boolean }

/** How a call ended. */
export type GatewayAnswer<Value> =
  | { kind: 'done'; value: Value }
  /** Nothing was done. `permanent`: asking again as it is cannot help. */
  | { kind: 'refused'; code: string; message: string; permanent: boolean }
  /** No answer: it may have been done. */
  | { kind: 'unknown'; reason: string }

/** What can be asked of the gateway. Every function calls once and never rejects. */
export type Gateway = {
  createLink(account: GatewayAccount, link: NewLink): Promise<GatewayAnswer<PaymentLink>>
  findLink(account: GatewayAccount, id: string): Promise<GatewayAnswer<PaymentLink | undefined>>
  /** The link that was made for our reference, if there is one. */
  findLinkByReference(
    account: GatewayAccount,
    reference: string,
  ): Promise<GatewayAnswer<PaymentLink | undefined>>
  /** Ends a link; one that is paid, expired or cancelled already is answered as it is. */
  cancelLink(account: GatewayAccount, id: string): Promise<GatewayAnswer<PaymentLink | undefined>>
  /**
   * The order with this receipt that was made for the payment request; the one that was paid where there are several.
   * Whoever else sells through the account may give the same receipts.
   */
  findOrder(
    account: GatewayAccount,
    order: { receipt: string; requestId: string },
  ): Promise<GatewayAnswer<GatewayOrder | undefined>>
  listRefunds(account: GatewayAccount, paymentId: string): Promise<GatewayAnswer<GatewayRefund[]>>
  /** Whether the gateway takes the account's key. */
  checkAccount(account: GatewayAccount): Promise<GatewayAnswer<true>>
}

/** What the gateway reports. `requestId` is what it holds for our id of the payment request. */
export type GatewayReport =
  | { kind: 'payment'; requestId: string; payment: GatewayPayment }
  | { kind: 'link'; requestId: string; status: 'expired' | 'cancelled' }
  /** Something was given back of a payment: how much in all, the gateway has to be asked. */
  | { kind: 'refund'; paymentId: string }
  /** Something we do not act on. */
  | { kind: 'unrecognised'; event: string }

/** A workspace's gateway, ready to be called. */
export type GatewayConnection = {
  provider: 'simulator' | 'razorpay'
  account: GatewayAccount
  /** Signs the gateway's webhooks. */
  webhookSecret: string
}

declare module '../core/context.ts' {
  /** What operations and jobs may ask of the gateway. */
  interface Outside {
    gateway: Gateway
    /** The workspace's gateway; undefined when none is connected. */
    gatewayConnection(workspaceId: string): Promise<GatewayConnection | undefined>
    /** Whether the real gateway takes a key that is not connected yet. */
    checkGatewayKey(keyId: string, keySecret: string): Promise<GatewayAnswer<true>>
  }
}
