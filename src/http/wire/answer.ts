import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Pieces } from '../../core/endpoint.ts'
import { errorRow, Refusal, type RefusalCode } from '../../core/errors.ts'
import { contentDisposition } from '../../core/values/content-disposition.ts'
import { isConnectionFault, isOutOfRoom, wasRolledBack } from '../../database/faults.ts'

const RETRY_AFTER_FAULT_SECONDS = 2

/** Returns the HTTP status of a refusal. */
export const statusOf = (refusal: Refusal): number => refusal.details.status ?? errorRow(refusal.code).status

/** Returns the address of the part of the errors page that explains a code. */
export const docUrlOf = (siteUrl: string, code: RefusalCode): string => `${siteUrl}/docs/errors#${code}`

/** Returns the body of a refusal (spec 7), with the address of its explanation. */
export function bodyOf(refusal: Refusal, siteUrl: string): Record<string, unknown> {
  const { status: _, retryAfterSeconds: __, ...details } = refusal.details
  const { code, message } = refusal
  return { error: code, message, ...details, docUrl: docUrlOf(siteUrl, code) }
}

/** Error codes of a process without free file descriptors, or a disk without free space. */
const OUT_OF_ROOM = ['EMFILE', 'ENFILE', 'ENOSPC', 'EDQUOT']

/** Returns whether this machine has no descriptors or disk space left for the request. */
const isOutOfResources = (error: unknown): boolean =>
  error instanceof Error && OUT_OF_ROOM.includes(String((error as Error & { code?: unknown }).code))

/**
 * Returns whether an operator must look at the cause of a refusal: an internal error, or no room here or in
 * the database.
 */
export const shouldLog = (refusal: Refusal, error: unknown): boolean =>
  refusal.code === 'internal_error' || isOutOfResources(error) || isOutOfRoom(error)

/** Records a refusal in the request's log line, and reports its cause if an operator must look at it. */
export function recordRefusal(
  request: FastifyRequest,
  error: unknown,
  onError: (error: unknown) => void,
  refusal = asRefusal(error),
): Refusal {
  request.refusedWith = refusal.code
  if (shouldLog(refusal, error)) onError(error)
  return refusal
}

/**
 * Converts any thrown value to a refusal: a `Refusal` stays as it is, an unavailable database or a full
 * machine becomes 503, and the rest become 500.
 */
export function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (isConnectionFault(error) || wasRolledBack(error))
    return new Refusal('service_unavailable', 'The database is unavailable or busy. Try again shortly.', {
      retryAfterSeconds: RETRY_AFTER_FAULT_SECONDS,
    })
  if (isOutOfResources(error))
    return new Refusal('service_unavailable', 'The server is out of memory or disk space. Try again later.', {
      retryAfterSeconds: RETRY_AFTER_FAULT_SECONDS,
    })
  return new Refusal(
    'internal_error',
    'Internal error. Try again, and quote the X-Request-Id header if it persists.',
  )
}

/** Sends a refusal with its headers. */
export function sendRefusal(reply: FastifyReply, refusal: Refusal): FastifyReply {
  if (refusal.details.retryAfterSeconds !== undefined)
    reply.header('retry-after', refusal.details.retryAfterSeconds)
  // RFC 9110 section 15.5.2: every 401 names the authentication scheme.
  if (statusOf(refusal) === 401 && !reply.hasHeader('www-authenticate'))
    reply.header('www-authenticate', 'Bearer')
  return sendJson(reply, statusOf(refusal), JSON.stringify(bodyOf(refusal, reply.server.siteUrl)))
}

/** The time for which a caller may leave a streamed response unread. */
const MAX_UNREAD_MS = 60_000

/**
 * Streams a file while it is generated. At most one piece waits for a slow reader, and a disconnect ends the
 * stream.
 */
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
