/** The parts of a request as its endpoint declares them: address, key, body, and whether its caller still waits. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Endpoint, isWrite } from '../core/endpoint.ts'
import { invalid, Refusal } from '../core/errors.ts'
import { readIdempotencyKey } from './idempotency.ts'
import { BadBody, parseJsonBody } from './json-body.ts'
import { validated, validatedAddress } from './validate.ts'

export const addressOf = (value: Endpoint, request: FastifyRequest) => ({
  params: validatedAddress(value.params, request.params) as never,
  query: validatedAddress(value.query, request.query) as never,
})

/** The Idempotency-Key of a write. */
export const writeKeyOf = (value: Endpoint, request: FastifyRequest): string | undefined =>
  isWrite(value) ? readIdempotencyKey(request.headers['idempotency-key']) : undefined

/** A body that cannot be read, in our words. */
export function asBodyRefusal(error: unknown): unknown {
  if (!(error instanceof BadBody)) return error
  if (error.kind === 'invalid_json') return new Refusal('invalid_json', error.message)
  return invalid([{ path: error.path ?? '', message: error.message }])
}

export function readBody(value: Endpoint, bytes: Buffer): unknown {
  if (!value.body) return undefined
  if (value.bodyOptional && bytes.length === 0) return validated(value.body, {})
  try {
    return validated(value.body, parseJsonBody(bytes))
  } catch (error) {
    throw asBodyRefusal(error)
  }
}

/** The body before it is validated; undefined where it cannot be read. */
export function unvalidatedBody(bytes: Buffer): unknown {
  try {
    return parseJsonBody(bytes)
  } catch {
    return undefined
  }
}

/** Aborts when the connection ends before the answer is out. */
export function leftBefore({ raw }: FastifyReply): AbortSignal {
  const left = new AbortController()
  if (raw.destroyed) left.abort()
  raw.once('close', () => {
    if (!raw.writableEnded) left.abort()
  })
  return left.signal
}
