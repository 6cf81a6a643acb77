import { randomBytes } from 'node:crypto'
import { SECOND_MS } from '../../core/clock.ts'

/** An answer of the simulated operator: HTTP status and JSON body, or the bytes of a file. */
export type GraphAnswer = {
  status: number
  body?: unknown
  bytes?: Buffer
  headers?: Record<string, string>
  /** No answer: the caller waits until it gives up, or the connection breaks. */
  ending?: 'hang' | 'close'
}

/** Returns an answer in the operator's error format (docs/formats.md section 4). */
export function graphError(
  code: number,
  message: string,
  options: {
    status?: number
    subcode?: number
    details?: string
    type?: string
    headers?: Record<string, string>
  } = {},
): GraphAnswer {
  return {
    status: options.status ?? 400,
    headers: options.headers,
    body: {
      error: {
        message,
        type: options.type ?? 'OAuthException',
        code,
        error_data: options.details ? { messaging_product: 'whatsapp', details: options.details } : undefined,
        error_subcode: options.subcode,
        fbtrace_id: `A${randomBytes(16).toString('base64url')}`,
      },
    },
  }
}

/** A required parameter is missing, with the operator's text. */
export const missingParameter = (name: string): GraphAnswer =>
  graphError(100, `(#100) The parameter ${name} is required.`)

/** A parameter has an invalid value. */
export const invalidParameter = (details: string): GraphAnswer =>
  graphError(131009, '(#131009) Parameter value is not valid', { details })

/** The sandbox does not simulate this part of the network (spec 4.9). */
export const notSimulated = (feature: string): GraphAnswer =>
  graphError(100, `(#100) ${feature} is not available in the sandbox.`, {
    details: `${feature} is not available in the sandbox.`,
  })

/** The token is missing or belongs to another number. */
export const invalidToken = (): GraphAnswer =>
  graphError(190, 'Invalid OAuth access token - Cannot parse access token', { status: 401 })

/** The token has expired. */
export const expiredToken = (time: Date): GraphAnswer =>
  graphError(
    190,
    `Error validating access token: Session has expired on ${Math.floor(time.getTime() / SECOND_MS)}.`,
    { status: 401, subcode: 463 },
  )

/** An id that does not exist for this caller. */
export const unknownObject = (method: string, id: string): GraphAnswer =>
  graphError(
    100,
    `Unsupported ${method.toLowerCase()} request. Object with ID '${id}' does not exist, cannot be loaded due to ` +
      'missing permissions, or does not support this operation',
    { subcode: 33, type: 'GraphMethodException' },
  )

/** The network cannot process calls now. */
export const serviceUnavailable = (): GraphAnswer =>
  graphError(131016, '(#131016) Service unavailable', {
    status: 500,
    details: 'Service temporarily unavailable.',
  })
