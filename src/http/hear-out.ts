/** Refusals of bodies that are still on their way: most clients listen when they have sent everything. */
import { finished } from 'node:stream/promises'
import type { FastifyRequest } from 'fastify'
import { noteAnsweredEarly } from './connection-bounds.ts'

/**
 * Reads to its end what nobody wants of a body. Whoever asks to be hung up on after the answer is answered then: before, the end of
 * the connection would reach them ahead of it.
 */
export async function hearOut({ raw }: FastifyRequest): Promise<void> {
  if (raw.complete) return
  raw.resume()
  const { connection, expect } = raw.headers
  // Who expects to be asked for the body has not sent it yet.
  if (connection?.toLowerCase() === 'close' && expect === undefined) await finished(raw).catch(() => {})
  else noteAnsweredEarly(raw)
}
