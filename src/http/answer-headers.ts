import type { FastifyReply } from 'fastify'

/** On every answer: nobody guesses types, frames us, or learns our addresses. Pages add a policy of their own. */
export const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
} as const

/** Gives an answer what every answer carries: the request's id and the security headers. */
export function setDefaultHeaders(reply: FastifyReply, requestId: string): void {
  reply.headers(SECURITY_HEADERS).header('x-request-id', requestId)
}
