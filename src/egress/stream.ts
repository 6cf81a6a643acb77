import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { faultFrom } from './faults.ts'

/** An answer whose body is read as it arrives: the caller must read it to its end or destroy it. */
export type StreamedAnswer = {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Readable
}

export type StreamedCall = {
  origin: string
  path: string
  headers: Record<string, string>
  /** Milliseconds for the whole call, including its body. */
  timeoutMs: number
  /** Longest silence in milliseconds, before the answer and within its body. */
  idleMs: number
}

/** Requests a body of any length. Rejects with `EgressFault`; a later failure ends the body with an error. */
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
    // The reader of the body gets the error; a body that is given up midway must not end the process.
    answer.body.on('error', () => {})
    return { status: answer.statusCode, headers: answer.headers, body: answer.body }
  } catch (error) {
    throw faultFrom(error)
  }
}
