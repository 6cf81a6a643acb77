/**
 * The port to the chat network. Calls go out through `Operator`; facts arrive only as `Report` values. Only
 * cloud/ and simulator/ know the operator's HTTP API.
 */
import type { Readable } from 'node:stream'
import type { OperatorPayment } from './report.ts'

/** A sending number with its credentials. Secrets are in plain text only in memory. */
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

/** An outbound message. Exactly one of `to` (E.164 with +) and `recipient` (chat-network user id) is set. */
export type OutboundMessage = {
  /** Our message id; the operator echoes it in every receipt. */
  callbackData: string
  to: string | null
  recipient: string | null
  type: string
  /** The payload of its type in the operator's shape, e.g. `{ body: 'Hi' }` for a text. */
  content: unknown
  /** The channel message id that this message replies to. */
  replyTo: string | null
}

/** A classified error of the operator (docs/formats.md section 4, error-codes.json). */
export type OperatorError = {
  code: number
  title: string
  message: string
  details: string | null
  /** Class of the code, e.g. throttle, transient, recipient, window, auth, account. */
  category: string
  permanent: boolean
  retryable: boolean
  /** Distinguishes errors of templates; omitted if the operator gives none. */
  subcode?: number
}

/** The outcome of submitting a message; `status`: the HTTP status, if there was an answer. */
export type Handover = { status?: number } & HandoverOutcome
type HandoverOutcome =
  /**
   * The operator accepted it. `phone`: the recipient's number in the operator's spelling, E.164 with +, if
   * the answer names it.
   */
  | { kind: 'accepted'; chanmid: string; phone: string | null }
  /** The operator refused it; no message went out. */
  | { kind: 'refused'; error: OperatorError; retryAfterSeconds: number | null }
  /** It never reached the operator: a retry is safe. */
  | { kind: 'not_sent'; reason: string }
  /** It may have gone out: we never send it again, and a receipt may show that it did. */
  | { kind: 'unknown'; reason: string }

/** The outcome of a call that needs the operator's answer. */
export type Answered<Value> =
  | { kind: 'done'; value: Value }
  /** The operator refused it; nothing was done. */
  | { kind: 'refused'; error: OperatorError; retryAfterSeconds: number | null }
  /** It never reached the operator: a retry is safe. */
  | { kind: 'not_sent'; reason: string }
  /** It may have been done. */
  | { kind: 'unknown'; reason: string }

/** A customer to block: by number (E.164 with +) or else by chat-network user id. */
export type BlockedUser = { phone: string | null; userId: string | null }

/** A number's state at the operator, in the operator's terms (docs/formats.md section 7). */
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
  /** AVAILABLE, LIMITED, or BLOCKED; null if the answer does not include it. */
  canSend: string | null
  /** Why not, with the operator's codes and text. */
  obstacles: { code: number; message: string }[]
  /** Whether the business also uses the number in the phone app; null if the answer does not include it. */
  isInPhoneApp: boolean | null
  /** When the number was last connected to the operator's API; null if the answer does not include it. */
  onboardedAt: Date | null
}

/** The data of the phone app that the operator sends on request, by its name there. */
export type PhoneAppData = 'history' | 'smb_app_state_sync'

/** A file that the operator stores for sending. `stream` opens its bytes from the start. */
export type OutboundFile = {
  filename: string
  mimeType: string
  sizeBytes: number
  stream(): Readable
}

/**
 * A file at the operator; its address is valid for five minutes and requires the number's token
 * (docs/formats.md section 5).
 */
export type OperatorFile = {
  url: string
  mimeType: string | null
  /** Hex. */
  sha256: string | null
  sizeBytes: number | null
}

/** The bytes of a file as they arrive; the caller must read or destroy the stream. */
export type FileDownload = { stream: Readable; sizeBytes: number | null }

/** An in-chat form of the account; status DRAFT, PUBLISHED, DEPRECATED, BLOCKED, or THROTTLED. */
export type OperatorFlow = { id: string; name: string; status: string; categories: string[] }

/** A form to create or change; `json` is its Flow JSON. */
export type NewOperatorFlow = { name: string; categories: readonly string[]; json: unknown }

/** Errors that the operator found in the Flow JSON of a draft; a form with errors cannot be published. */
export type FlowFaults = string[]

/** A template to submit, in the operator's terms (docs/formats.md section 6). */
export type NewOperatorTemplate = {
  name: string
  language: string
  category: string
  parameterFormat: 'POSITIONAL' | 'NAMED'
  components: readonly unknown[]
  /** The time that a message from this template may wait for delivery; null: the operator's default. */
  ttlSeconds: number | null
}

/** The quality of a template without a rating yet. */
export const UNRATED = 'UNKNOWN'

/** A template at the operator, in the operator's terms. */
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

/** A payment configuration of the account at the operator; status active, needs connecting … */
export type PaymentConfiguration = { name: string; status: string }

/** The calls to the operator. Every function calls once and never rejects. */
export type Operator = {
  /**
   * Submits one message. `mayBegin` is called just before the first byte is written; if it returns false, the
   * message is not sent.
   */
  send(number: OperatorNumber, message: OutboundMessage, mayBegin?: () => boolean): Promise<Handover>
  /** Marks a customer's message and all earlier ones as read; `typing` also shows the typing indicator. */
  markRead(
    number: OperatorNumber,
    message: { chanmid: string; typing: boolean },
  ): Promise<Answered<undefined>>
  block(number: OperatorNumber, user: BlockedUser): Promise<Answered<undefined>>
  unblock(number: OperatorNumber, user: BlockedUser): Promise<Answered<undefined>>
  /** Returns the state of the number. */
  findNumber(number: OperatorNumber): Promise<Answered<OperatorNumberState>>
  /**
   * Requests the data of a number that stays in the phone app. The operator accepts each kind once, within 24
   * hours after the number was connected, and then sends it in webhooks.
   */
  requestPhoneAppData(number: OperatorNumber, kind: PhoneAppData): Promise<Answered<undefined>>
  /** Returns a page of the account's flows; `after` is null for the first. */
  listFlows(
    number: OperatorNumber,
    after: string | null,
  ): Promise<Answered<{ flows: OperatorFlow[]; after: string | null }>>
  /** Creates a draft for the number's account. */
  createFlow(
    number: OperatorNumber,
    flow: NewOperatorFlow,
  ): Promise<Answered<{ id: string; faults: FlowFaults }>>
  /** Replaces the name and categories of a draft, then its Flow JSON. */
  changeFlow(
    number: OperatorNumber,
    flowId: string,
    flow: NewOperatorFlow,
  ): Promise<Answered<{ faults: FlowFaults }>>
  /** Returns one form. */
  findFlow(number: OperatorNumber, flowId: string): Promise<Answered<OperatorFlow>>
  publishFlow(number: OperatorNumber, flowId: string): Promise<Answered<undefined>>
  /** Withdraws a published form: it cannot be sent or opened any more. */
  deprecateFlow(number: OperatorNumber, flowId: string): Promise<Answered<undefined>>
  /** Deletes a draft. */
  deleteFlow(number: OperatorNumber, flowId: string): Promise<Answered<undefined>>
  /** Uploads a file to send; the operator keeps its id for 30 days. */
  uploadMedia(number: OperatorNumber, file: OutboundFile): Promise<Answered<{ id: string }>>
  findMedia(number: OperatorNumber, mediaId: string): Promise<Answered<OperatorFile>>
  /**
   * Opens the address from `findMedia`. A refusal may mean that the address has expired: look it up again.
   */
  downloadMedia(number: OperatorNumber, url: string): Promise<Answered<FileDownload>>
  deleteMedia(number: OperatorNumber, mediaId: string): Promise<Answered<undefined>>
  /** Submits a template for the number's account and returns the operator's result. */
  createTemplate(
    number: OperatorNumber,
    template: NewOperatorTemplate,
  ): Promise<Answered<{ id: string; status: string; category: string }>>
  /**
   * Returns a page of the account's templates, filtered by names that contain `name` if given; `after` is
   * null for the first.
   */
  listTemplates(
    number: OperatorNumber,
    page: { after: string | null; name: string | null },
  ): Promise<Answered<{ templates: OperatorTemplate[]; after: string | null }>>
  /** Deletes one template; with `id` null, all languages of the name. */
  deleteTemplate(
    number: OperatorNumber,
    template: { name: string; id: string | null },
  ): Promise<Answered<undefined>>
  /** Uploads a sample for the header of a template; `handle` goes into `example.header_handle`. */
  uploadTemplateSample(number: OperatorNumber, file: OutboundFile): Promise<Answered<{ handle: string }>>
  /** Returns the payments, including failed attempts, of the order that a message requested payment for. */
  findPayments(
    number: OperatorNumber,
    order: { configuration: string; referenceId: string },
  ): Promise<Answered<OperatorPayment[]>>
  listPaymentConfigurations(number: OperatorNumber): Promise<Answered<PaymentConfiguration[]>>
  close(): Promise<void>
}

declare module '../core/context.ts' {
  /** The calls available to operations that need the operator's answer. */
  interface Outside {
    operator: Operator
    /**
     * Returns a number of the workspace with its credentials; undefined if the workspace has none with that
     * id.
     */
    operatorNumber(workspaceId: string, phoneNumberId: string): Promise<OperatorNumber | undefined>
  }
}

export type * from './report.ts'
