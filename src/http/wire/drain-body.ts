/** Reads the rest of a refused body: most clients read the response only after they sent everything. */
import type { IncomingMessage } from 'node:http'
import { finished } from 'node:stream/promises'
import type { FastifyRequest } from 'fastify'
import { markAnsweredEarly } from './connection-bounds.ts'

const CONTINUE = /(^|\W)100-continue($|\W)/i

/**
 * Returns whether the request has an expectation that the server doesn't support (RFC 9110 section 10.1.1).
 * The client may then never send its body.
 */
export const isUnmetExpectation = ({ headers: { expect }, httpVersion }: IncomingMessage): boolean =>
  expect !== undefined && !CONTINUE.test(expect) && httpVersion !== '1.0'

/** Returns whether the connection closes after the answer (RFC 9112 section 9.3). */
export const isLast = ({ headers: { connection = '' }, httpVersion }: IncomingMessage): boolean =>
  /(^|\W)close($|\W)/i.test(connection) ||
  (httpVersion === '1.0' && !/(^|\W)keep-alive($|\W)/i.test(connection))

/**
 * Reads a body to its end and discards it. A client that wants the connection closed gets the answer only
 * after that, or else the close would reach the client before the answer.
 */
export async function drainBody({ raw }: FastifyRequest): Promise<void> {
  if (raw.complete) return
  raw.resume()
  // Node sends `100 Continue` before any of our code sees the request, so the client is sending the body.
  if (isLast(raw) && !isUnmetExpectation(raw)) await finished(raw).catch(() => {})
  else markAnsweredEarly(raw)
}
