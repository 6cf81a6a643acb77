/**
 * The chat network as the rest of Parley sees it. Calls go out through `Operator`; facts come back
 * only as `Report` values. What the operator's HTTP API looks like is known to cloud/ and
 * simulator/ alone.
 */

/** A sending number with what it takes to speak for it. Secrets are in the clear only in memory. */
export type OperatorNumber = {
  /** Our id of the number. */
  id: string
  operator: 'simulator' | 'cloud'
  /** The operator's id of the number. */
  operatorId: string
  accountId: string
  /** Base address of the operator's API, without the version. */
  baseUrl: string
  token: string
}

/** One message on its way out. Exactly one of `to` (E.164 with +) and `recipient` (chat-network user id) is set. */
export type OutboundMessage = {
  /** Our message id; the operator echoes it in every receipt. */
  callbackData: string
  to: string | null
  recipient: string | null
  type: string
  /** The payload of its type in the operator's shape, e.g. `{ body: 'Hi' }` for a text. */
  content: unknown
  /** The channel message id that this one replies to. */
  replyTo: string | null
}

/** An error of the operator, classified (FORMATS section 4, error-codes.json). */
export type OperatorError = {
  code: number
  title: string
  message: string
  details: string | null
  /** Class of the code, e.g. throttle, transient, recipient, window, auth, account. */
  category: string
  permanent: boolean
  retryable: boolean
}

/** How handing a message over ended. */
export type Handover =
  /** The operator took it. */
  | { kind: 'accepted'; chanmid: string }
  /** The operator refused it; nothing went out. */
  | { kind: 'refused'; error: OperatorError; retryAfterSeconds: number | null }
  /** It never reached the operator: trying again is safe. */
  | { kind: 'not_sent'; reason: string }
  /** It may have gone out: it is never sent again by us; a receipt tells. */
  | { kind: 'unknown'; reason: string }

export type Operator = {
  send(number: OperatorNumber, message: OutboundMessage): Promise<Handover>
  close(): Promise<void>
}

export type ReceiptStatus = 'sent' | 'delivered' | 'read' | 'failed'

/** What happened to one of our messages. */
export type Receipt = {
  kind: 'receipt'
  chanmid: string
  /** Our message id, when the operator echoed it. */
  callbackData: string | null
  status: ReceiptStatus
  at: Date
  errors: OperatorError[]
}

/** A message from a customer. */
export type InboundMessage = {
  kind: 'inbound'
  chanmid: string
  /** E.164 with +; null for a customer who shares no number. */
  phone: string | null
  userId: string | null
  username: string | null
  profileName: string | null
  at: Date
  type: string
  /** The payload of its type in the operator's shape. */
  content: Record<string, unknown>
  /** The message it replies to. */
  replyTo: string | null
}

/** Something we do not act on; it is stored and logged, never an error. */
export type Unrecognised = { kind: 'unrecognised'; field: string }

export type Report = Receipt | InboundMessage | Unrecognised

/** The reports of one webhook body, by the operator's id of the number they concern ('' for those about an account). */
export type NumberReports = { operatorId: string; reports: Report[] }
