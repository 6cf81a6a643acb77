import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import { faultFrom, faultOf } from './faults.ts'
import type { Target } from './target.ts'

/** The answer of the far side. Any status is an answer, including redirects: they are never followed. */
export type EgressAnswer = {
  status: number
  /** Lower-case names; at most 50 headers, values cut at 1,000 characters. */
  headers: Record<string, string>
  /** The body as sent: never decompressed, cut at the limit. */
  body: Buffer
  /** The body was longer than the limit, so the connection was closed. */
  truncated: boolean
  /** The first kilobyte of the body as text, without NUL characters. */
  bodyExcerpt: string
  /** Milliseconds from the request to the end of the answer. */
  latencyMs: number
}

/** One call. `timeoutMs` limits the whole call, even if the far side is slow or silent. */
export type Exchange = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  target: Target
  headers?: Record<string, string>
  body?: string | Buffer
  timeoutMs: number
  maxBodyBytes: number
  /** Reads the body of the answer only after this time, as a slow client does. */
  readAfterMs?: number | undefined
}

const NO_BYTES = Buffer.alloc(0)
const EXCERPT_BYTES = 1024
const MAX_HEADERS = 50
const MAX_HEADER_CHARACTERS = 1000

/** Sends one request and reads its answer within all limits. Rejects with `EgressFault`. */
export function exchange(dispatcher: Dispatcher, call: Exchange): Promise<EgressAnswer> {
  return new Promise((resolve, reject) => {
    const startedMs = performance.now()
    const chunks: Buffer[] = []
    let bytes = 0
    let status = 0
    let headers: IncomingHttpHeaders = {}
    let controller: Dispatcher.DispatchController | undefined
    let settled = false

    const timer = setTimeout(() => fail(faultOf('timeout')), call.timeoutMs)

    function settle(): boolean {
      if (settled) return false
      settled = true
      clearTimeout(timer)
      return true
    }

    function fail(error: unknown) {
      if (!settle()) return
      const fault = faultFrom(error)
      // undici calls this just before it writes the first byte.
      fault.sent = controller !== undefined
      reject(fault)
      controller?.abort(fault)
    }

    function answer(truncated: boolean) {
      if (!settle()) return
      const body = chunks.length > 1 ? Buffer.concat(chunks) : (chunks[0] ?? NO_BYTES)
      resolve({
        status,
        headers: boundHeaders(headers),
        body: truncated ? body.subarray(0, call.maxBodyBytes) : body,
        truncated,
        bodyExcerpt: excerptOf(body),
        latencyMs: performance.now() - startedMs,
      })
    }

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: (started) => {
        // The call waited for a connection until its time was over, or undici is about to write it a second
        // time.
        const isRepeat = controller !== undefined && call.method !== 'GET'
        if (settled || isRepeat) started.abort(faultOf(settled ? 'timeout' : 'reset'))
        else controller = started
      },
      onResponseStart: (current, responseStatus, responseHeaders) => {
        status = responseStatus
        headers = responseHeaders
        if (call.readAfterMs === undefined) return
        current.pause()
        setTimeout(() => current.resume(), call.readAfterMs)
      },
      onResponseData: (current, chunk) => {
        if (settled) return
        chunks.push(chunk)
        bytes += chunk.length
        if (bytes <= call.maxBodyBytes) return
        answer(true)
        current.abort(faultOf('protocol'))
      },
      onResponseEnd: () => answer(false),
      onResponseError: (_controller, error) => fail(error),
    }
    const { origin, path } = call.target
    try {
      dispatcher.dispatch(
        { origin, path, method: call.method, headers: call.headers, body: call.body },
        handler,
      )
    } catch (error) {
      fail(error)
    }
  })
}

function boundHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const bounded: Record<string, string> = {}
  let count = 0
  for (const name in headers) {
    if (++count > MAX_HEADERS) break
    const value = String(headers[name])
    bounded[name] = value.length > MAX_HEADER_CHARACTERS ? value.slice(0, MAX_HEADER_CHARACTERS) : value
  }
  return bounded
}

function excerptOf(body: Buffer): string {
  if (body.length === 0) return ''
  return body.toString('utf8', 0, EXCERPT_BYTES).replaceAll('\0', '')
}
