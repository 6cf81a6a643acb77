/**
 * The port to the payment gateway. Calls go out through `Gateway`; reports arrive as `GatewayReport` values.
 * Only razorpay/ and simulator/ know the gateway's HTTP API. Amounts are whole paise.
 */

/** The account that calls are made for. Secrets are in plain text only in memory. */
export type GatewayAccount = {
  /** Base address of the gateway's API with its version, without a final slash. */
  baseUrl: string
  keyId: string
  keySecret: string
}

/** A payment link to create. The gateway creates at most one for each `reference`. */
export type NewLink = {
  /** Our id of the payment request. */
  reference: string
  amountPaise: number
  description: string
  customer: { name: string | null; phone: string | null }
  /** Null: it stays open until it is canceled. */
  expiresAt: Date | null
  notes: Record<string, string>
}

export type LinkStatus = 'created' | 'partially_paid' | 'paid' | 'expired' | 'cancelled'

/** A payment, or an attempted payment. */
export type GatewayPayment = {
  id: string
  amountPaise: number
  currency: string
  state: 'pending' | 'captured' | 'failed'
  /** upi, card, netbanking, wallet …; null if the gateway does not report it. */
  method: string | null
  at: Date
  refundedPaise: number
  /** Why an attempt failed. */
  failure: { code: string; message: string } | null
}

export type PaymentLink = {
  id: string
  /** The address where the customer pays. */
  url: string
  reference: string | null
  status: LinkStatus
  amountPaise: number
  payments: GatewayPayment[]
}

/** An order that the operator created at the gateway for a payment in the chat. */
export type GatewayOrder = { id: string; payments: GatewayPayment[] }

/** A refund; `processed` means that it is on its way to the customer. */
export type GatewayRefund = { id: string; amountPaise: number; processed: boolean }

/** The outcome of a call. */
export type GatewayAnswer<Value> =
  | { kind: 'done'; value: Value }
  /** The call had no effect. `permanent`: repeating it unchanged cannot succeed. */
  | { kind: 'refused'; code: string; message: string; permanent: boolean }
  /** No answer: it may have taken effect. */
  | { kind: 'unknown'; reason: string }

/** The calls to the gateway. Every function calls once and never rejects. */
export type Gateway = {
  createLink(account: GatewayAccount, link: NewLink): Promise<GatewayAnswer<PaymentLink>>
  findLink(account: GatewayAccount, id: string): Promise<GatewayAnswer<PaymentLink | undefined>>
  /** Returns the link created for our reference, if there is one. */
  findLinkByReference(
    account: GatewayAccount,
    reference: string,
  ): Promise<GatewayAnswer<PaymentLink | undefined>>
  /** Cancels a link; if it is already paid, expired, or canceled, returns it unchanged. */
  cancelLink(account: GatewayAccount, id: string): Promise<GatewayAnswer<PaymentLink | undefined>>
  /**
   * Returns the order with this receipt that was created for the payment request; the paid one if there are
   * several. Other sellers on the account may use the same receipts.
   */
  findOrder(
    account: GatewayAccount,
    order: { receipt: string; requestId: string },
  ): Promise<GatewayAnswer<GatewayOrder | undefined>>
  listRefunds(account: GatewayAccount, paymentId: string): Promise<GatewayAnswer<GatewayRefund[]>>
  /** Checks whether the gateway accepts the account's key. */
  checkAccount(account: GatewayAccount): Promise<GatewayAnswer<true>>
}

/** The gateway's reports. `requestId` is our id of the payment request, as stored at the gateway. */
export type GatewayReport =
  | { kind: 'payment'; requestId: string; payment: GatewayPayment }
  | { kind: 'link'; requestId: string; status: 'expired' | 'cancelled' }
  /** A payment was refunded, in part or in full: the total must be requested from the gateway. */
  | { kind: 'refund'; paymentId: string }
  /** A report that Parley does not process. */
  | { kind: 'unrecognized'; event: string }

/** A workspace's gateway, ready for calls. */
export type GatewayConnection = {
  provider: 'simulator' | 'razorpay'
  account: GatewayAccount
  /** Signs the gateway's webhooks. */
  webhookSecret: string
}

declare module '../core/context.ts' {
  /** The gateway calls available to operations and jobs. */
  interface Outside {
    gateway: Gateway
    /** Returns the workspace's gateway; undefined if none is connected. */
    gatewayConnection(workspaceId: string): Promise<GatewayConnection | undefined>
    /** Checks whether the real gateway accepts a key that is not connected yet. */
    checkGatewayKey(keyId: string, keySecret: string): Promise<GatewayAnswer<true>>
  }
}
