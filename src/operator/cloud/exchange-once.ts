import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { decodedBody } from '../../core/decoded-body.ts'

/** How one exchange ended. `written` says whether any byte of the request may have left. */
export type Exchanged =
  | { kind: 'answered'; status: number; headers: IncomingHttpHeaders; body: string }
  | { kind: 'failed'; written: boolean; reason: string }

/** One request: `origin` and `path` of the address; a stream is read once. */
export type Exchange = {
  method: 'GET' | 'POST' | 'DELETE'
  origin: string
  path: string
  headers: Record<string, string>
  body: string | Buffer | Readable | null
  /** Called just before the first byte is written, which it is not where this is false. */
  mayBegin?: (() => boolean) | undefined
}

// The longest answers are pages of templates; more is somebody else talking.
const maxAnswerBytes = 4 * 1024 * 1024

/**
 * Sends one request exactly once and waits at most `timeoutMs` from now, queueing and connecting included. Never
 * rejects. Undici's `onRequestStart` comes just before the first byte is written, so what fails before it was
 * certainly not sent.
 */
export function exchangeOnce(
  dispatcher: Dispatcher,
  exchange: Exchange,
  timeoutMs: number,
): Promise<Exchanged> {
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | undefined
    let over = false
    let status = 0
    let answerHeaders: IncomingHttpHeaders = {}
    let size = 0
    const chunks: Buffer[] = []

    function end(exchanged: Exchanged) {
      if (over) return
      over = true
      clearTimeout(timer)
      resolve(exchanged)
    }
    const fail = (reason: string) => end({ kind: 'failed', written: controller !== undefined, reason })

    const timer = setTimeout(() => {
      fail(`no answer within ${timeoutMs} ms`)
      controller?.abort(new Error('timed out'))
    }, timeoutMs)

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        // Given up while queued, or about to be written a second time: neither may go out.
        if (over || controller !== undefined) started.abort(new Error('given up'))
        else if (exchange.mayBegin?.() === false) started.abort(new Error('it may not begin'))
        else controller = started
      },
      onResponseStart(_controller, statusCode, headers) {
        status = statusCode
        answerHeaders = headers
      },
      onResponseData(current, chunk) {
        size += chunk.byteLength
        if (size > maxAnswerBytes) {
          fail('the answer is too long')
          current.abort(new Error('too long'))
        } else chunks.push(chunk)
      },
      onResponseEnd() {
        const encoding = answerHeaders['content-encoding']
        const body = decodedBody(bytesOf(chunks), encoding, maxAnswerBytes).toString('utf8')
        end({ kind: 'answered', status, headers: answerHeaders, body })
      },
      onResponseError(_controller, error) {
        fail(reasonOf(error))
      },
    }
    try {
      dispatcher.dispatch(exchange, handler)
    } catch (error) {
      fail(reasonOf(error))
    }
  })
}

const bytesOf = (chunks: Buffer[]): Buffer => (chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks))

// A connection refused on several addresses carries its reasons inside.
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0])
  if (!(error instanceof Error)) return 'the request failed'
  const code = 'code' in error && typeof error.code === 'string' ? `${error.code}: ` : ''
  return code + error.message
}
