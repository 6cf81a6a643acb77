/**
 * Reads the parts of a request as its endpoint declares them: address, key, body, and whether the caller is
 * still connected.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Endpoint, isWrite } from '../../core/endpoint.ts'
import { invalid, Refusal } from '../../core/errors.ts'
import { readTimesIn } from '../../core/values/text.ts'
import { wrongMediaType } from '../wire/framework-refusals.ts'
import { BadBody, parseJsonBody } from '../wire/json-body.ts'
import { readIdempotencyKey } from './idempotency.ts'
import { validated, validatedAddress, validatedQuery } from './validate.ts'

/** Returns the workspace's time zone, for times that a request sends without an offset. */
const timeZoneOf = ({ caller }: Pick<FastifyRequest, 'caller'>): string | undefined =>
  caller?.workspace.timezone

export const addressOf = (value: Endpoint, request: FastifyRequest) =>
  readTimesIn(timeZoneOf(request), () => ({
    params: validatedAddress(value.params, request.params) as never,
    query: validatedQuery(value.query, request.query) as never,
  }))

/** Returns the Idempotency-Key of a write. */
export const writeKeyOf = (value: Endpoint, request: FastifyRequest): string | undefined =>
  isWrite(value) ? readIdempotencyKey(request.headers['idempotency-key']) : undefined

/** Converts the error of an unreadable body to a refusal. */
export function asBodyRefusal(error: unknown): unknown {
  if (!(error instanceof BadBody)) return error
  if (error.kind === 'invalid_json') return new Refusal('invalid_json', error.message)
  return invalid([{ path: error.path ?? '', message: error.message }])
}

/** Returns the validated body; undefined if the endpoint takes none. Even then, a sent body must be JSON. */
export function readBody(
  value: Endpoint,
  bytes: Buffer,
  request: Pick<FastifyRequest, 'caller' | 'typeAssumed'>,
): unknown {
  if (bytes.length === 0 && !value.body) return undefined
  const read = (tree: unknown) =>
    readTimesIn(timeZoneOf(request), () => value.body && validated(value.body, tree))
  if (bytes.length === 0 && value.body && value.bodyOptional) return read({})
  try {
    const tree = parseJsonBody(bytes)
    return value.body ? read(tree) : undefined
  } catch (error) {
    if (request.typeAssumed && bytes.length > 0 && error instanceof BadBody && error.kind === 'invalid_json')
      throw wrongMediaType()
    throw asBodyRefusal(error)
  }
}

/** Returns the body before validation; undefined if it isn't readable. */
export function unvalidatedBody(bytes: Buffer): unknown {
  try {
    return parseJsonBody(bytes)
  } catch {
    return undefined
  }
}

/** Returns a signal that aborts when the connection closes before the answer is sent. */
export function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const left = new AbortController()
  if (raw.destroyed) left.abort()
  raw.once('close', () => {
    if (!raw.writableEnded) left.abort()
  })
  return left.signal
}
