import type { FastifyReply } from 'fastify'

/**
 * Security headers of every response: no type sniffing, no framing, no referrer. Pages add their own content
 * security policy.
 */
export const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
} as const

/** Sets the headers that every response has: the request ID and the security headers. */
export function setDefaultHeaders(reply: FastifyReply, requestId: string): void {
  reply.headers(SECURITY_HEADERS).header('x-request-id', requestId)
}
