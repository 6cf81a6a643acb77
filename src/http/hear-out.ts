/** Refusals of bodies that are still on their way: most clients listen when they have sent everything. */
import type { IncomingMessage } from 'node:http'
import { finished } from 'node:stream/promises'
import type { FastifyRequest } from 'fastify'
import { noteAnsweredEarly } from './connection-bounds.ts'

const CONTINUE = /(^|\W)100-continue($|\W)/i

/** Whether the request expects what nobody here does (RFC 9110 section 10.1.1): it may wait with its body for ever. */
export const isUnmet = ({ headers: { expect }, httpVersion }: IncomingMessage): boolean =>
  expect !== undefined && !CONTINUE.test(expect) && httpVersion !== '1.0'

/** Whether the connection ends with the answer (RFC 9112 section 9.3). */
export const isLast = ({ headers: { connection = '' }, httpVersion }: IncomingMessage): boolean =>
  /(^|\W)close($|\W)/i.test(connection) ||
  (httpVersion === '1.0' && !/(^|\W)keep-alive($|\W)/i.test(connection))

/**
 * Reads to its end what nobody wants of a body. Whoever asks to be hung up on after the answer is answered then: before, the end of
 * the connection would reach them ahead of it.
 */
export async function hearOut({ raw }: FastifyRequest): Promise<void> {
  if (raw.complete) return
  raw.resume()
  // Who expects to be asked for the body has been: Node asks before anybody looks at the request.
  if (isLast(raw) && !isUnmet(raw)) await finished(raw).catch(() => {})
  else noteAnsweredEarly(raw)
}
