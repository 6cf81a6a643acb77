/** What a call of the client can end with instead of its reply. */

/** What is wrong with one field of a request. */
export type Issue = { path: string; message: string }

/** What the API refused, or could not do. */
export class ApiError extends Error {
  override name = 'ApiError'
  /** The status of HTTP. */
  readonly status: number
  /** Which refusal it is: `error` of the body, such as `contact_opted_out`; empty where something in between answered. */
  readonly code: string
  /** Of `invalid`: what is wrong, field by field. */
  readonly issues: readonly Issue[]
  /** For whoever runs the installation: the request in its log. */
  readonly requestId: string | null
  /** How long to wait before the next try, where the answer says so. */
  readonly retryAfterSeconds: number | null
  /** The whole body, which holds more of some refusals. */
  readonly body: Readonly<Record<string, unknown>>

  constructor(
    status: number,
    headers: Headers,
    body: { error?: unknown; message?: unknown; issues?: unknown; [name: string]: unknown },
  ) {
    super(typeof body.message === 'string' ? body.message : `The API answered ${status}.`)
    const retryAfter = headers.get('retry-after')
    this.status = status
    this.code = typeof body.error === 'string' ? body.error : ''
    this.issues = Array.isArray(body.issues) ? (body.issues as Issue[]) : []
    this.requestId = headers.get('x-request-id')
    this.retryAfterSeconds = retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : null
    this.body = body
  }
}

/** No answer came, however often it was tried: what was asked may have been done or not. */
export class NoAnswerError extends Error {
  override name = 'NoAnswerError'
  /** Of a write: asking again under this key within a day does it once, whatever became of these tries. */
  readonly idempotencyKey: string | undefined

  constructor(cause: unknown, idempotencyKey: string | undefined) {
    super('The API did not answer.', { cause })
    this.idempotencyKey = idempotencyKey
  }
}
