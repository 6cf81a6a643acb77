import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { decodedBody } from '../../core/values/decoded-body.ts'

/** The end of one exchange. `written`: at least one byte of the request may have been sent. */
export type Exchanged =
  | { kind: 'answered'; status: number; headers: IncomingHttpHeaders; body: string }
  | { kind: 'failed'; written: boolean; reason: string }

/** One request to `origin` and `path`. A stream is read once. */
export type Exchange = {
  method: 'GET' | 'POST' | 'DELETE'
  origin: string
  path: string
  headers: Record<string, string>
  body: string | Buffer | Readable | null
  /** Called just before the first byte is written; if it returns false, the request is not sent. */
  mayBegin?: (() => boolean) | undefined
}

// The longest answers are pages of templates; anything longer is not from the operator.
const maxAnswerBytes = 4 * 1024 * 1024

/**
 * Sends one request exactly once and waits at most `timeoutMs`, including queueing and connecting. Never
 * rejects. undici calls `onRequestStart` just before the first byte, so a failure before it means that the
 * request was not sent.
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
        // The call was given up while queued, or undici is about to write it again: it must not go out.
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

// If the connection failed on several addresses, the reasons are inside the error.
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0])
  if (!(error instanceof Error)) return 'the request failed'
  const code = 'code' in error && typeof error.code === 'string' ? `${error.code}: ` : ''
  return code + error.message
}
