/**
 * The chat network as the rest of Parley sees it. Calls go out through `Operator`; facts come back
 * only as `Report` values. What the operator's HTTP API looks like is known to cloud/ and
 * simulator/ alone.
 */
import type { Readable } from 'node:stream'
import type { OperatorPayment } from './report.ts'

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

/** An error of the operator, classified (docs/formats.md section 4, error-codes.json). */
export type OperatorError = {
  code: number
  title: string
  message: string
  details: string | null
  /** Class of the code, e.g. throttle, transient, recipient, window, auth, account. */
  category: string
  permanent: boolean
  retryable: boolean
  /** Distinguishes errors of templates; left out where the operator gives none. */
  subcode?: number
}

/** How handing a message over ended. */
export type Handover =
  /** The operator took it; `phone` is the recipient's number as it spells it, in E.164 with +, where it names one. */
  | { kind: 'accepted'; chanmid: string; phone: string | null }
  /** The operator refused it; nothing went out. */
  | { kind: 'refused'; error: OperatorError; retryAfterSeconds: number | null }
  /** It never reached the operator: trying again is safe. */
  | { kind: 'not_sent'; reason: string }
  /** It may have gone out: it is never sent again by us; a receipt says whether it did. */
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

/** A number as the operator sees it, in its own words (docs/formats.md section 7). */
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
  /** Whether messages can be sent: AVAILABLE, LIMITED or BLOCKED; null when it does not say. */
  canSend: string | null
  /** Why not, in the operator's codes and words. */
  obstacles: { code: number; message: string }[]
}

/** A file to be kept by the operator for sending. `stream` opens its bytes from the beginning. */
export type OutboundFile = {
  filename: string
  mimeType: string
  sizeBytes: number
  stream(): Readable
}

/** A file that the operator has; its address lives five minutes and wants the number's token (docs/formats.md section 5). */
export type OperatorFile = {
  url: string
  mimeType: string | null
  /** Hex. */
  sha256: string | null
  sizeBytes: number | null
}

/** The bytes of a file as they arrive; whoever has asked for them reads or destroys them. */
export type FileDownload = { stream: Readable; sizeBytes: number | null }

/** An in-chat form of the account; status DRAFT, PUBLISHED, DEPRECATED, BLOCKED or THROTTLED. */
export type OperatorFlow = { id: string; name: string; status: string; categories: string[] }

/** A template to be submitted, in the operator's words (docs/formats.md section 6). */
export type NewOperatorTemplate = {
  name: string
  language: string
  category: string
  parameterFormat: 'POSITIONAL' | 'NAMED'
  components: readonly unknown[]
  /** How long a message made from it may wait for its customer; null: the operator's own. */
  ttlSeconds: number | null
}

/** How a template is rated that nobody has rated yet. */
export const UNRATED = 'UNKNOWN'

/** A template as the operator has it, in its own words. */
export type OperatorTemplate = {
  /** The operator's id, as text. */
  id: string
  name: string
  /** With an underscore: en_US. */
  language: string
  /** APPROVED, PENDING, REJECTED, PAUSED, DISABLED, IN_APPEAL … */
  status: string
  category: string
  parameterFormat: 'POSITIONAL' | 'NAMED'
  components: Record<string, unknown>[]
  /** GREEN, YELLOW, RED or UNKNOWN. */
  quality: string
  rejectedReason: string | null
}

/** A way to pay in the chat that the account has at the operator; status active, needs connecting … */
export type PaymentConfiguration = { name: string; status: string }

/** What can be asked of the operator. Every function calls once and never rejects. */
export type Operator = {
  /** Hands one message over. */
  /** `mayBegin` is called just before the first byte is written; where it is false the message is not sent. */
  send(number: OperatorNumber, message: OutboundMessage, mayBegin?: () => boolean): Promise<Handover>
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
  /** Gives the operator a file to send; its id lives 30 days. */
  uploadMedia(number: OperatorNumber, file: OutboundFile): Promise<Answered<{ id: string }>>
  findMedia(number: OperatorNumber, mediaId: string): Promise<Answered<OperatorFile>>
  /** Opens the address that `findMedia` answered. A refusal may mean that it is too old: look up again. */
  downloadMedia(number: OperatorNumber, url: string): Promise<Answered<FileDownload>>
  deleteMedia(number: OperatorNumber, mediaId: string): Promise<Answered<undefined>>
  /** Submits a template for the number's account; answers what the operator made of it. */
  createTemplate(
    number: OperatorNumber,
    template: NewOperatorTemplate,
  ): Promise<Answered<{ id: string; status: string; category: string }>>
  /** A page of the account's templates, those whose name holds `name` if it is given; `after` null for the first. */
  listTemplates(
    number: OperatorNumber,
    page: { after: string | null; name: string | null },
  ): Promise<Answered<{ templates: OperatorTemplate[]; after: string | null }>>
  /** Deletes one template; with `id` null, all languages of the name. */
  deleteTemplate(
    number: OperatorNumber,
    template: { name: string; id: string | null },
  ): Promise<Answered<undefined>>
  /** Gives the operator a sample for the header of a template; `handle` goes into `example.header_handle`. */
  uploadTemplateSample(number: OperatorNumber, file: OutboundFile): Promise<Answered<{ handle: string }>>
  /** The payments, and attempts, of the order that a message asked to pay through the configuration. */
  findPayments(
    number: OperatorNumber,
    order: { configuration: string; referenceId: string },
  ): Promise<Answered<OperatorPayment[]>>
  listPaymentConfigurations(number: OperatorNumber): Promise<Answered<PaymentConfiguration[]>>
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

export type * from './report.ts'
