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

/** How a call that must answer with the operator's word ended. */
export type Answered<Value> =
  | { kind: 'done'; value: Value }
  /** The operator refused it; nothing was done. */
  | { kind: 'refused'; error: OperatorError; retryAfterSeconds: number | null }
  /** It never reached the operator: trying again is safe. */
  | { kind: 'not_sent'; reason: string }
  /** It may have been done. */
  | { kind: 'unknown'; reason: string }

/** A customer to block: by number (E.164 with +) or, without one, by chat-network user id. */
export type BlockedUser = { phone: string | null; userId: string | null }

/** A number as the operator sees it, in its own words (FORMATS section 7). */
export type OperatorNumberState = {
  operatorId: string
  displayNumber: string | null
  displayName: string | null
  /** GREEN, YELLOW, RED or UNKNOWN. */
  quality: string | null
  /** CONNECTED, FLAGGED, RESTRICTED, BANNED … */
  status: string | null
  /** STANDARD, HIGH or NOT_APPLICABLE. */
  throughput: string | null
  /** TIER_250, TIER_2K … */
  messagingLimit: string | null
  username: string | null
}

/** An in-chat form of the account; status DRAFT, PUBLISHED, DEPRECATED, BLOCKED or THROTTLED. */
export type OperatorFlow = { id: string; name: string; status: string; categories: string[] }

/** What can be asked of the operator. Every function calls once and never rejects. */
export type Operator = {
  /** Hands one message over. */
  send(number: OperatorNumber, message: OutboundMessage): Promise<Handover>
  /** Marks a customer's message and all before it as read; `typing` shows the indicator too. */
  markRead(
    number: OperatorNumber,
    message: { chanmid: string; typing: boolean },
  ): Promise<Answered<undefined>>
  block(number: OperatorNumber, user: BlockedUser): Promise<Answered<undefined>>
  unblock(number: OperatorNumber, user: BlockedUser): Promise<Answered<undefined>>
  /** The state of the number itself. */
  findNumber(number: OperatorNumber): Promise<Answered<OperatorNumberState>>
  /** A page of the account's flows; `after` null for the first. */
  listFlows(
    number: OperatorNumber,
    after: string | null,
  ): Promise<Answered<{ flows: OperatorFlow[]; after: string | null }>>
  close(): Promise<void>
}

declare module '../core/context.ts' {
  /** What operations that must answer with the operator's word may call. */
  interface Outside {
    operator: Operator
    /** A number of the workspace with its credentials; undefined when it has none by that id. */
    operatorNumber(workspaceId: string, phoneNumberId: string): Promise<OperatorNumber | undefined>
  }
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

/** The operator decided about a template, or changed its state (FORMATS section 10). */
export type TemplateStatusReport = {
  kind: 'template_status'
  /** The operator's id, as text. */
  templateId: string
  name: string
  /** With an underscore: en_US. */
  language: string
  /** APPROVED, REJECTED, PAUSED, DISABLED, REINSTATED … in upper case. */
  event: string
  category: string | null
  /** Why; null for NONE. */
  reason: string | null
}

/** The operator moved a template to another category. Notices of what is to come are not reported. */
export type TemplateCategoryReport = {
  kind: 'template_category'
  templateId: string
  name: string
  language: string
  previousCategory: string
  newCategory: string
}

/** The operator rated a template: GREEN, YELLOW, RED or UNKNOWN. */
export type TemplateQualityReport = {
  kind: 'template_quality'
  templateId: string
  name: string
  language: string
  quality: string
}

export type TemplateReport = TemplateStatusReport | TemplateCategoryReport | TemplateQualityReport

/** Something we do not act on; it is stored and logged, never an error. */
export type Unrecognised = { kind: 'unrecognised'; field: string }

export type Report = Receipt | InboundMessage | TemplateReport | Unrecognised

/** The reports of one webhook body, by the operator's id of the number they concern ('' for those about an account). */
export type NumberReports = { operatorId: string; reports: Report[] }
