import { SECOND_MS } from '../../core/clock.ts'
import { decodedBody } from '../../core/values/decoded-body.ts'
import { isProxyRefusal } from '../../core/values/proxy-refusal.ts'
import { isObject, textOrNull } from '../../core/values/storable.ts'
import type { Egress } from '../../egress/egress.ts'
import { EgressFault } from '../../egress/faults.ts'
import type { GatewayAccount, GatewayAnswer } from '../port.ts'

export type LineOptions = {
  /** The egress; it must allow the base addresses of accounts. */
  egress: Pick<Egress, 'prepareTarget' | 'send'>
  /** Longest wait for one answer, including connecting. Default: 15 s. */
  timeoutMs?: number
}

export type LineRequest = {
  method: 'GET' | 'POST'
  /** The path after the base address, such as `/payment_links`. */
  path: string
  json?: Json
}

/** Calls once and returns how the call ended; never rejects. */
export type Line = (account: GatewayAccount, request: LineRequest) => Promise<GatewayAnswer<Json>>

export type Json = Record<string, unknown>

// The longest answers are lists of payments; anything longer is not from the gateway.
const MAX_ANSWER_BYTES = 1024 * 1024

/** Opens the connection to the gateway's HTTP API (docs/formats.md section 15). */
export function openLine({ egress, timeoutMs = 15 * SECOND_MS }: LineOptions): Line {
  return async ({ baseUrl, keyId, keySecret }, { method, path, json }) => {
    try {
      // The deployment sets the base address; a simulator on this machine uses plain http.
      const target = egress.prepareTarget(baseUrl + path, { requireHttps: false })
      const answer = await egress.send(method, {
        target,
        headers: {
          authorization: `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`,
          'user-agent': 'parley',
          ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
        timeoutMs,
        maxBodyBytes: MAX_ANSWER_BYTES,
      })
      return answerOf(answer)
    } catch (error) {
      if (!(error instanceof EgressFault)) throw error
      return { kind: 'unknown', reason: error.message }
    }
  }
}

/** A temporary refusal: slow down. */
const TOO_MANY = 429

type Answer = { status: number; headers: Record<string, string>; body: Buffer }

function answerOf({ status, headers, body }: Answer): GatewayAnswer<Json> {
  const value = parseObject(decodedBody(body, headers['content-encoding'], MAX_ANSWER_BYTES))
  if (status >= 200 && status < 300)
    return value ? { kind: 'done', value } : { kind: 'unknown', reason: "The answer isn't a JSON object." }
  const error = isObject(value?.error) ? value.error : {}
  const code = textOrNull(error.code)
  if (status >= 500 || status === 408 || (code === null && isProxyRefusal(status)))
    return { kind: 'unknown', reason: `The payment gateway answered with status ${status}.` }
  return {
    kind: 'refused',
    code: code ?? `HTTP_${status}`,
    message: textOrNull(error.description) ?? `The payment gateway answered with status ${status}.`,
    permanent: status !== TOO_MANY,
  }
}

function parseObject(body: Buffer): Json | undefined {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Reads the answer with `read`; an answer without the expected fields is unknown. */
export function readAnswer<Value>(
  answer: GatewayAnswer<Json>,
  read: (value: Json) => Value | undefined,
): GatewayAnswer<Value> {
  if (answer.kind !== 'done') return answer
  const value = read(answer.value)
  return value === undefined
    ? { kind: 'unknown', reason: "The answer doesn't have the requested data." }
    : { kind: 'done', value }
}

/** Returns a segment of a path. */
export const segment = (id: string): string => `/${encodeURIComponent(id)}`
