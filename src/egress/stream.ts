import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { faultFrom } from './faults.ts'

/** An answer whose body is read as it arrives: the caller reads it to its end or destroys it. */
export type StreamedAnswer = {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Readable
}

export type StreamedCall = {
  origin: string
  path: string
  headers: Record<string, string>
  /** Milliseconds for the whole call, its body included. */
  timeoutMs: number
  /** Longest silence, before the answer and within its body. */
  idleMs: number
}

/** Asks for a body of any length. Rejects with `EgressFault`; what goes wrong later breaks off the body. */
export async function openStream(dispatcher: Dispatcher, call: StreamedCall): Promise<StreamedAnswer> {
  try {
    const answer = await dispatcher.request({
      method: 'GET',
      origin: call.origin,
      path: call.path,
      headers: call.headers,
      signal: AbortSignal.timeout(call.timeoutMs),
      headersTimeout: call.idleMs,
      bodyTimeout: call.idleMs,
    })
    // Whoever reads meets what goes wrong; a body that is given up midway must not end the process.
    answer.body.on('error', () => {})
    return { status: answer.statusCode, headers: answer.headers, body: answer.body }
  } catch (error) {
    throw faultFrom(error)
  }
}
