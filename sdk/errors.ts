/** Defines the errors that a call of the client can throw. */

/** An error in one field of a request. */
export type Issue = { path: string; message: string }

/** An error response of the API. */
export class ApiError extends Error {
  override name = 'ApiError'
  /** The HTTP status. */
  readonly status: number
  /** The error code: `error` of the body, such as `contact_opted_out`; empty if a gateway responded. */
  readonly code: string
  /** For `invalid`: the errors by field. */
  readonly issues: readonly Issue[]
  /** For the administrator of the installation: identifies the request in the log. */
  readonly requestId: string | null
  /** The time to wait before the next attempt, if the response contains it. */
  readonly retryAfterSeconds: number | null
  /** The whole body, which has more details for some errors. */
  readonly body: Readonly<Record<string, unknown>>

  constructor(
    status: number,
    headers: Headers,
    body: { error?: unknown; message?: unknown; issues?: unknown; [name: string]: unknown },
  ) {
    super(typeof body.message === 'string' ? body.message : `The API responded with ${status}.`)
    const retryAfter = headers.get('retry-after')
    this.status = status
    this.code = typeof body.error === 'string' ? body.error : ''
    this.issues = Array.isArray(body.issues) ? (body.issues as Issue[]) : []
    this.requestId = headers.get('x-request-id')
    this.retryAfterSeconds = retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : null
    this.body = body
  }
}

/** No response arrived in any attempt: the request may have been carried out or not. */
export class NoResponseError extends Error {
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
