/**
 * The operator's reports in our terms: each webhook becomes values of these types (docs/formats.md sections 8
 * to 11).
 */
import type { OperatorError } from './port.ts'

/** A customer by the operator's identifiers; at least one of `phone` and `userId` is set. */
export type Customer = {
  /** E.164 with +; null for a customer who shares no number. */
  phone: string | null
  userId: string | null
  username: string | null
  profileName: string | null
}

export type ReceiptStatus = 'sent' | 'delivered' | 'read' | 'failed'

/** The price of a message, in the operator's terms. */
export type Pricing = {
  billable: boolean | null
  /** marketing, utility, authentication, service … */
  category: string | null
  /** regular, free_customer_service, free_entry_point. */
  type: string | null
  /** PMP (by message) or CBP (by conversation). */
  model: string | null
}

/** An update about one of our messages. */
export type Receipt = {
  kind: 'receipt'
  chanmid: string
  /** Our message id, when the operator echoed it. */
  callbackData: string | null
  /** The recipient: the digits of their number, else their user id. */
  recipient: string | null
  /** The recipient as a customer, if the receipt names their user id. */
  customer: Customer | null
  status: ReceiptStatus
  at: Date
  errors: OperatorError[]
  /** Included in some of the receipts of a message. */
  pricing: Pricing | null
}

/**
 * The context of a message, in the operator's shape: the message it replies to, forwarding, an advertisement
 * …
 */
export type MessageContext = Record<string, unknown>

type WrittenMessage = Customer & {
  chanmid: string
  at: Date
  type: string
  /** The payload of its type in the operator's shape. */
  content: Record<string, unknown>
  context: MessageContext | null
  /** The message that it replies to. */
  replyTo: string | null
}

/** A message from a customer. */
export type InboundMessage = WrittenMessage & {
  kind: 'inbound'
  /**
   * The customer came through an advertisement or a page's button: a free entry point starts (docs/formats.md
   * section 12).
   */
  referred: boolean
  /** The fields of an in-chat form, by name, if the message is a submitted form. */
  formFields: Record<string, unknown> | null
  /** Why the operator could not deliver the content. */
  errors: OperatorError[]
}

/** A message that a member of the business wrote in the phone app. */
export type EchoedMessage = WrittenMessage & { kind: 'echo' }

export type PastStatus = 'sent' | 'delivered' | 'read' | 'failed'

/** A message from the phone app's history, from before the number was connected. Nothing follows from it. */
export type PastMessageReport = WrittenMessage & {
  kind: 'past'
  direction: 'inbound' | 'outbound'
  /** Null for a customer's message. */
  status: PastStatus | null
}

/**
 * The file of a message of the history. Its chat is reported separately, before or after it; `customer` is
 * null if this report does not name them.
 */
export type PastFileReport = Omit<WrittenMessage, keyof Customer> & {
  kind: 'past_file'
  customer: Customer | null
  direction: 'inbound' | 'outbound'
}

/** How much of the phone app's history has arrived. */
export type HistoryProgress = {
  kind: 'history'
  /** From 0 to 100; null if unknown. */
  progress: number | null
  /** 0: the last day, 1: up to 90 days, 2: up to 180 days. */
  phase: number | null
  /** Why there is no history: the business does not share it. */
  declined: string | null
  at: Date
}

/** A contact in the address book of the phone app was added, changed, or removed. */
export type AddressBookEntry = {
  kind: 'address_book'
  /** E.164 with +. */
  phone: string
  name: string | null
  isRemoved: boolean
  at: Date
}

/** An edit or deletion of a sent message; `content` is the new content, null after a deletion. */
export type MessageChange = {
  kind: 'change'
  /** The channel's id of the change itself. */
  chanmid: string
  /** The channel's id of the message. */
  of: string
  /** The customer of the chat: the digits of their number, their user id. */
  people: string[]
  content: Record<string, unknown> | null
  at: Date
}

/** A customer stopped marketing messages, or allowed them again. */
export type Preference = Customer & { kind: 'preference'; word: 'stop' | 'resume'; at: Date }

/** A customer's call started or ended. */
export type CallReport = Customer & {
  kind: 'call'
  callId: string
  /** Null while the call is ringing. */
  ended: { answered: boolean; at: Date } | null
  at: Date
}

/** A customer has a new number or a new chat-network user id. A null in `to` means unchanged. */
export type IdentityChange = {
  kind: 'identity'
  from: { phone: string | null; userId: string | null }
  to: { phone: string | null; userId: string | null }
  at: Date
}

/** The template that a report is about. */
type OfTemplate = {
  /** The operator's id, as text; '' if it was unreadable: then name and language identify the template. */
  templateId: string
  name: string
  /** With an underscore: en_US. */
  language: string
  /** The operator's id of the account; '' if unknown. */
  accountId: string
  at: Date
}

/** The operator decided about a template, or changed its state (docs/formats.md section 10). */
export type TemplateStatusReport = OfTemplate & {
  kind: 'template_status'
  /** APPROVED, REJECTED, PAUSED, DISABLED, REINSTATED … in upper case. */
  event: string
  category: string | null
  /** The reason; null for NONE. */
  reason: string | null
}

/** The operator moved a template to another category. Notices of coming changes are not reported. */
export type TemplateCategoryReport = OfTemplate & {
  kind: 'template_category'
  /** Null if the operator did not say. */
  previousCategory: string | null
  newCategory: string
}

/** The operator rated a template: GREEN, YELLOW, RED, or UNKNOWN. */
export type TemplateQualityReport = OfTemplate & {
  kind: 'template_quality'
  quality: string
}

/** A button that calls or opens an address, as reported by the operator. */
export type ReportedButton = { type: string; text: string; url: string | null; phoneNumber: string | null }

/**
 * The content of a template after an edit. Null: it has no such text. Buttons of some kinds are not reported.
 */
export type TemplateEdit = {
  title: string | null
  body: string
  footer: string | null
  buttons: ReportedButton[]
}

/** A template was edited at the operator. */
export type TemplateComponentsReport = OfTemplate & { kind: 'template_components'; edit: TemplateEdit }

export type TemplateReport =
  | TemplateStatusReport
  | TemplateCategoryReport
  | TemplateQualityReport
  | TemplateComponentsReport

/** Which messages a number can send, as stored in its row. */
export type NumberState = 'active' | 'number_banned' | 'sending_blocked' | 'disconnected'

/** The changes of a number; absent fields are unchanged. */
export type NumberNews = {
  state?: NumberState
  /** The reason for the state and the operator's error that caused it; null if the number is active. */
  stateReason?: string | null
  stateCode?: number | null
  /** Until when no message may start a conversation, although the number is active. */
  businessInitiatedBlockedUntil?: Date
  /** Until when no message may reply in conversations that customers started. */
  customerInitiatedBlockedUntil?: Date
  /** green, yellow, red, or unknown. */
  quality?: string
  /** Messages per second that the operator accepts. */
  throughput?: number
  /** TIER_250, TIER_2K … TIER_UNLIMITED: new customers whom the business may message in 24 hours. */
  messagingLimit?: string
  displayName?: string
  /** Null: the username was given up. */
  username?: string | null
}

/** The operator changed something about a number, or about all numbers of an account. */
export type NumberReport = {
  kind: 'number'
  /** The number's digits; null: all numbers of the account. */
  number: string | null
  /**
   * The operator's id of the account; '' if the update named none: then the account of the receiving number.
   */
  accountId: string
  news: NumberNews
  at: Date
}

/** A payment in the chat, or an attempted payment. Amounts are whole paise. */
export type OperatorPayment = {
  state: 'pending' | 'captured' | 'failed'
  amountPaise: number
  currency: string
  /** The gateway's id of the payment; null if the operator does not report it. */
  paymentId: string | null
  /** upi, card …; null if the operator does not report it. */
  method: string | null
  at: Date
  /** The total refunded so far, in paise. */
  refundedPaise: number
  /** Why an attempt failed. */
  failure: { code: string; message: string } | null
}

/** The outcome of the payment that a message requests. It says nothing about the delivery of the message. */
export type PaymentReport = {
  kind: 'payment'
  /** The caller's own order number. */
  referenceId: string
  payment: OperatorPayment
}

/** The state of one of the account's payment configurations: active, needs connecting … */
export type PaymentConfigurationReport = {
  kind: 'payment_configuration'
  name: string
  status: string
  at: Date
}

/** A change that Parley does not process: stored and logged, never an error. */
export type Unrecognized = { kind: 'unrecognized'; field: string }

/** A report about a group of customers: Parley has no groups, so it stores none of it. */
export type GroupReport = { kind: 'group'; field: string }

export type Report =
  | Receipt
  | InboundMessage
  | EchoedMessage
  | PastMessageReport
  | PastFileReport
  | HistoryProgress
  | AddressBookEntry
  | MessageChange
  | Preference
  | CallReport
  | IdentityChange
  | TemplateReport
  | NumberReport
  | PaymentReport
  | PaymentConfigurationReport
  | GroupReport
  | Unrecognized

/** The reports of one webhook body, by the operator's id of the number ('' for an account). */
export type NumberReports = { operatorId: string; reports: Report[] }
