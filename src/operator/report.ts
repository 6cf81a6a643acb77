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

type Written = Customer & {
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
export type InboundMessage = Written & {
  kind: 'inbound'
  /** The customer came by an advertisement or a page's button: a free entry point begins (docs/formats.md section 12). */
  referred: boolean
  /** The fields of an in-chat form, by their names, when the message is a filled one. */
  formFields: Record<string, unknown> | null
  /** Why the operator could not pass the content on. */
  errors: OperatorError[]
}

/** A message that a person of the business typed in the phone app. */
export type EchoedMessage = Written & { kind: 'echo' }

/** Somebody edited or deleted a message that they had sent; `content` is the new one, null when it was deleted. */
export type MessageChange = {
  kind: 'change'
  /** The channel's id of the change itself. */
  chanmid: string
  /** The channel's id of the message. */
  of: string
  /** Whose chat it is in: the digits of their number, their user id. */
  people: string[]
  content: Record<string, unknown> | null
  at: Date
}

/** A customer stopped marketing messages, or asked for them again. */
export type Preference = Customer & { kind: 'preference'; word: 'stop' | 'resume'; at: Date }

/** A customer's call began or ended. */
export type CallReport = Customer & {
  kind: 'call'
  callId: string
  /** Null while it is ringing. */
  ended: { answered: boolean; at: Date } | null
  at: Date
}

/** A customer has another number or another chat-network user id from now on; what is null in `to` stays. */
export type IdentityChange = {
  kind: 'identity'
  from: { phone: string | null; userId: string | null }
  to: { phone: string | null; userId: string | null }
  at: Date
}

/** What every report about a template says of it. */
type OfTemplate = {
  /** The operator's id, as text; '' when it could not be read: name and language say which. */
  templateId: string
  name: string
  /** With an underscore: en_US. */
  language: string
  /** The operator's id of the account; '' when it is not known. */
  accountId: string
  at: Date
}

/** The operator decided about a template, or changed its state (docs/formats.md section 10). */
export type TemplateStatusReport = OfTemplate & {
  kind: 'template_status'
  /** APPROVED, REJECTED, PAUSED, DISABLED, REINSTATED … in upper case. */
  event: string
  category: string | null
  /** Why; null for NONE. */
  reason: string | null
}

/** The operator moved a template to another category. Notices of what is to come are not reported. */
export type TemplateCategoryReport = OfTemplate & {
  kind: 'template_category'
  /** Null when the operator did not say. */
  previousCategory: string | null
  newCategory: string
}

/** The operator rated a template: GREEN, YELLOW, RED or UNKNOWN. */
export type TemplateQualityReport = OfTemplate & {
  kind: 'template_quality'
  quality: string
}

/** A button that calls or opens an address, as the operator reports it. */
export type ReportedButton = { type: string; text: string; url: string | null; phoneNumber: string | null }

/** What a template says since it was edited. Null: it has no such text. Buttons of some kinds are not reported. */
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

/** What can be sent from a number, as its row says it. */
export type NumberState = 'active' | 'number_banned' | 'sending_blocked' | 'disconnected'

/** What changed of a number; what is absent stays. */
export type NumberNews = {
  state?: NumberState
  /** Why the state is what it is, and the operator's error behind it; null when it is active. */
  stateReason?: string | null
  stateCode?: number | null
  /** Until when no message may begin a conversation, although the number is active. */
  businessInitiatedBlockedUntil?: Date
  /** The same of answers in conversations that customers began. */
  customerInitiatedBlockedUntil?: Date
  /** green, yellow, red or unknown. */
  quality?: string
  /** Messages a second that the operator takes. */
  throughput?: number
  /** TIER_250, TIER_2K … TIER_UNLIMITED: customers whom the business may write to first in 24 hours. */
  messagingLimit?: string
  displayName?: string
  /** Null: it was given up. */
  username?: string | null
}

/** The operator changed something about a number, or about all numbers of an account. */
export type NumberReport = {
  kind: 'number'
  /** The number by its digits; null: all of the account. */
  number: string | null
  /** The operator's id of the account; '' when the update named none: that of the number it came to. */
  accountId: string
  news: NumberNews
  at: Date
}

/** A payment in the chat, or an attempt at one. Amounts are whole paise. */
export type OperatorPayment = {
  state: 'pending' | 'captured' | 'failed'
  amountPaise: number
  currency: string
  /** The gateway's id of the payment; null when the operator does not say. */
  paymentId: string | null
  /** upi, card …; null when the operator does not say. */
  method: string | null
  at: Date
  /** What was given back of it so far. */
  refundedPaise: number
  /** Why an attempt failed. */
  failure: { code: string; message: string } | null
}

/** What became of the payment that a message asks for. It says nothing of the message itself. */
export type PaymentReport = {
  kind: 'payment'
  /** The caller's own order number. */
  referenceId: string
  payment: OperatorPayment
}

/** Whether customers can pay through a payment configuration of the account: active, needs connecting … */
export type PaymentConfigurationReport = {
  kind: 'payment_configuration'
  name: string
  status: string
  at: Date
}

/** Something we do not act on; it is stored and logged, never an error. */
export type Unrecognised = { kind: 'unrecognised'; field: string }

/** Something about a group of customers: Parley has no groups, so nothing of it is stored. */
export type GroupReport = { kind: 'group'; field: string }

export type Report =
  | Receipt
  | InboundMessage
  | EchoedMessage
  | MessageChange
  | Preference
  | CallReport
  | IdentityChange
  | TemplateReport
  | NumberReport
  | PaymentReport
  | PaymentConfigurationReport
  | GroupReport
  | Unrecognised

/** The reports of one webhook body, by the operator's id of the number they concern ('' for those about an account). */
export type NumberReports = { operatorId: string; reports: Report[] }
