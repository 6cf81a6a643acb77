import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { contentDisposition } from '../core/content-disposition.ts'
import type { Pieces } from '../core/endpoint.ts'
import { errorRow, Refusal } from '../core/errors.ts'
import { hasNoRoom, isConnectionFault, wasRolledBack } from '../database/faults.ts'

const RETRY_AFTER_FAULT_SECONDS = 2

/** The status of a refusal. */
export const statusOf = (refusal: Refusal): number => refusal.details.status ?? errorRow(refusal.code).status

/** The body of a refusal (spec 7). */
export function bodyOf(refusal: Refusal): Record<string, unknown> {
  const { status: _, retryAfterSeconds: __, ...details } = refusal.details
  return { error: refusal.code, message: refusal.message, ...details }
}

/** No descriptors or no disk. */
const OUT_OF_ROOM = ['EMFILE', 'ENFILE', 'ENOSPC', 'EDQUOT']

/** Whether this machine has no room left for what was asked. */
const isOutOfRoom = (error: unknown): boolean =>
  error instanceof Error && OUT_OF_ROOM.includes(String((error as Error & { code?: unknown }).code))

/** Whether somebody has to look after what led to a refusal: a fault of ours, or no room left here or at the database. */
export const isForTheLog = (refusal: Refusal, error: unknown): boolean =>
  refusal.code === 'internal_error' || isOutOfRoom(error) || hasNoRoom(error)

/** Notes a refusal for the request's line in the log, and reports what led to it where somebody has to look after it. */
export function noteRefusal(
  request: FastifyRequest,
  error: unknown,
  onError: (error: unknown) => void,
  refusal = asRefusal(error),
): Refusal {
  request.refusedWith = refusal.code
  if (isForTheLog(refusal, error)) onError(error)
  return refusal
}

/** Any thrown value as a refusal: ours as it is, a database that is away or a machine without room as 503, the rest as 500. */
export function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (isConnectionFault(error) || wasRolledBack(error))
    return new Refusal('service_unavailable', 'The database is unavailable or busy. Try again shortly.', {
      retryAfterSeconds: RETRY_AFTER_FAULT_SECONDS,
    })
  if (isOutOfRoom(error))
    return new Refusal('service_unavailable', 'The server is out of memory or disk space. Try again later.', {
      retryAfterSeconds: RETRY_AFTER_FAULT_SECONDS,
    })
  return new Refusal(
    'internal_error',
    'Internal error. Try again, and quote the X-Request-Id header if it persists.',
  )
}

/** Sends a refusal with the headers that belong to it. */
export function sendRefusal(reply: FastifyReply, refusal: Refusal): FastifyReply {
  if (refusal.details.retryAfterSeconds !== undefined)
    reply.header('retry-after', refusal.details.retryAfterSeconds)
  // What RFC 9110 section 15.5.2 asks of every 401: how one comes in.
  if (statusOf(refusal) === 401) reply.header('www-authenticate', 'Bearer')
  return sendJson(reply, statusOf(refusal), JSON.stringify(bodyOf(refusal)))
}

/** How long a caller may leave an answer in pieces unread. */
const MAX_UNREAD_MS = 60_000

/** Sends a file as it is made: at most a piece waits for a caller who reads slowly, and one who left ends it. */
export function sendPieces(
  reply: FastifyReply,
  { contentType, filename, text, policy }: Pieces,
): FastifyReply {
  reply.raw.setTimeout(MAX_UNREAD_MS, () => reply.raw.destroy())
  return reply
    .code(200)
    .headers({
      'content-type': contentType,
      'content-disposition': contentDisposition(filename, policy !== undefined),
      ...(policy === undefined ? {} : { 'content-security-policy': policy }),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    .send(Readable.from(text, { objectMode: false }))
}

/** Sends JSON text. */
export function sendJson(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply.code(status).header('content-type', 'application/json; charset=utf-8').send(text)
}
