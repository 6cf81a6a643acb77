/** Defines the errors that the SDK throws. Each is a ParleyError, with its class as its `name`. */
import type { ErrorCode } from './generated/errors.ts'

/** The base class of all errors of the SDK. */
export class ParleyError extends Error {
  override name = 'ParleyError'
}

/** An error in one field of a request. */
export type Issue = {
  /** The position of the field: `tags[3]`. */
  path: string
  message: string
}

type ErrorBody = {
  error?: unknown
  message?: unknown
  issues?: unknown
  docUrl?: unknown
  [name: string]: unknown
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** An error response of the API. Its subclasses tell apart the errors that programs handle differently. */
export class ApiError extends ParleyError {
  override name = 'ApiError'
  /** The HTTP status. */
  readonly status: number
  /** The error code, such as `contact_opted_out`; empty if a gateway responded. New codes may be added. */
  readonly code: ErrorCode | (string & {})
  /** The errors by field, for example if `code` is `invalid`. */
  readonly issues: readonly Issue[]
  /** For the administrator of the installation: identifies the request in the log. */
  readonly requestId: string | null
  /** The seconds to wait before the next attempt, if the response contains them. */
  readonly retryAfterSeconds: number | null
  /** The address of the page about this error, if the response contains it. */
  readonly docUrl: string | null
  /** The whole body, which has more details for some errors. */
  readonly body: Readonly<Record<string, unknown>>

  constructor(status: number, headers: Headers, body: ErrorBody) {
    super(textOf(body.message) ?? `The API responded with ${status}.`)
    const retryAfter = headers.get('retry-after')
    this.status = status
    this.code = textOf(body.error) ?? ''
    this.issues = Array.isArray(body.issues) ? (body.issues as Issue[]) : []
    this.requestId = headers.get('x-request-id')
    this.retryAfterSeconds = retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : null
    this.docUrl = textOf(body.docUrl)
    this.body = body
  }
}

/** 400, 413, 415, or 422: the request is not valid. `issues` names its fields. */
export class ValidationError extends ApiError {
  override name = 'ValidationError'
}

/** 401: the API key is missing, unknown, revoked, or expired. */
export class AuthenticationError extends ApiError {
  override name = 'AuthenticationError'
}

/** 402: the plan of the workspace does not include the request, or its limit is reached. */
export class PlanError extends ApiError {
  override name = 'PlanError'
}

/** 403: the key lacks a scope, a role, or an allowed address. */
export class PermissionError extends ApiError {
  override name = 'PermissionError'
}

/** 404: the workspace has no object with this id. */
export class NotFoundError extends ApiError {
  override name = 'NotFoundError'
}

/** 409: the request conflicts with an existing record or its state. */
export class ConflictError extends ApiError {
  override name = 'ConflictError'
}

/** 429: too many requests. The SDK waits and retries first, if the wait is at most a minute. */
export class RateLimitError extends ApiError {
  override name = 'RateLimitError'
}

/** 500 or above: Parley, the operator, or a gateway failed. */
export class ServerError extends ApiError {
  override name = 'ServerError'
}

/** 502: the message may or may not have been sent. Do not send it again without checking (`send_unconfirmed`). */
export class UnconfirmedError extends ServerError {
  override name = 'UnconfirmedError'
}

const UNCONFIRMED = ['send_unconfirmed', 'reply_unconfirmed']

const CLASSES: Record<number, typeof ApiError> = {
  400: ValidationError,
  401: AuthenticationError,
  402: PlanError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  413: ValidationError,
  415: ValidationError,
  422: ValidationError,
  429: RateLimitError,
}

function classOf(status: number, code: unknown): typeof ApiError {
  if (UNCONFIRMED.includes(String(code))) return UnconfirmedError
  return CLASSES[status] ?? (status >= 500 ? ServerError : ApiError)
}

/** Returns the error of a response that is not successful. */
export async function readError(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => '')
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    body = undefined
  }
  const fields = typeof body === 'object' && body !== null ? (body as ErrorBody) : {}
  const Class = classOf(response.status, fields.error)
  return new Class(response.status, response.headers, fields)
}

/** No response arrived in any attempt: the request may have been carried out or not. */
export class NoResponseError extends ParleyError {
  override name = 'NoResponseError'
  /**
   * For a write: sending it again with this key within a day does it only once, whether or not these attempts
   * succeeded.
   */
  readonly idempotencyKey: string | undefined

  constructor(cause: unknown, idempotencyKey: string | undefined) {
    super('The API did not respond.', { cause })
    this.idempotencyKey = idempotencyKey
  }
}

/** The delivery is not from Parley, was changed on its way, or is too old. */
export class WebhookError extends ParleyError {
  override name = 'WebhookError'
}
