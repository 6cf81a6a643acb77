import { SECOND_MS } from '../../core/clock.ts'
import { decodedBody } from '../../core/values/decoded-body.ts'
import { isProxyRefusal } from '../../core/values/proxy-refusal.ts'
import { retryAfterSeconds } from '../../core/values/retry-after.ts'
import { isObject } from '../../core/values/storable.ts'
import type { Egress } from '../../egress/egress.ts'
import { EgressFault } from '../../egress/faults.ts'
import { classifyNetworkError, classifyNetworkStatus } from '../network-errors.ts'
import type { Answered, NetworkError, SocialAccount } from '../port.ts'
import { withWholeIds } from './values.ts'

/** Settings of the network's HTTP API. */
export type LineOptions = {
  /** The egress; it must allow the base addresses of accounts. */
  egress: Egress
  /** Version segment of every address. Default: v24.0. */
  version?: string
  /** Longest wait for one answer, including connecting. Default: 15 s. */
  timeoutMs?: number
}

/** `path` follows the version, such as `/me/messages`; nulls in `query` are omitted. */
export type LineRequest = {
  method: 'GET' | 'POST'
  path: string
  query?: Record<string, string | number | null>
  json?: Record<string, unknown>
  /** A repeated call would create the object twice. */
  once?: true
}

/** Calls once and returns how the call ended; never rejects. */
export type Line = (
  account: SocialAccount,
  request: LineRequest,
) => Promise<Answered<Record<string, unknown>>>

// The longest answers are pages of posts; anything longer is not from the network.
const MAX_ANSWER_BYTES = 1024 * 1024

/** Opens the connection to the network's HTTP API (docs/formats.md section 14). */
export function openLine({ egress, version = 'v24.0', timeoutMs = 15 * SECOND_MS }: LineOptions): Line {
  return async (account, { method, path, query = {}, json, once }) => {
    const parameters = Object.entries(query).flatMap(([name, value]) =>
      value === null ? [] : [[name, String(value)]],
    )
    const search = parameters.length === 0 ? '' : `?${new URLSearchParams(parameters)}`
    try {
      // The deployment sets the base address; a simulator on this machine uses plain http.
      const target = egress.prepareTarget(`${account.baseUrl}/${version}${path}${search}`, {
        requireHttps: false,
      })
      const answer = await egress.send(method, {
        target,
        headers: {
          authorization: `Bearer ${account.token}`,
          'user-agent': 'parley',
          ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
        timeoutMs,
        maxBodyBytes: MAX_ANSWER_BYTES,
      })
      return answeredOf(answer, once)
    } catch (error) {
      if (!(error instanceof EgressFault)) throw error
      return { kind: error.sent ? 'unknown' : 'not_sent', reason: error.message }
    }
  }
}

type Answer = { status: number; headers: Record<string, string>; body: Buffer }

/**
 * Classifies the error of an answer. An unknown error with a server-side status counts as the network's
 * trouble.
 */
function errorOf(body: Record<string, unknown>, isTrouble: boolean): NetworkError {
  const error = classifyNetworkError(body)
  return isTrouble && error.kind === 'other' ? { ...error, kind: 'transient' } : error
}

/** Returns the result of a call: the network's JSON object, its refusal, or unknown. */
function answeredOf(
  { status, headers, body }: Answer,
  isOnce: true | undefined,
): Answered<Record<string, unknown>> {
  const value = parseObject(decodedBody(body, headers['content-encoding'], MAX_ANSWER_BYTES))
  const waitSeconds = retryAfterSeconds(headers)
  const isTrouble = status >= 500 || status === 408
  if (isObject(value?.error)) {
    const error = errorOf(value.error, isTrouble)
    return isOnce && isTrouble && error.kind === 'transient'
      ? { kind: 'unknown', reason: `status ${status} with error ${error.code}` }
      : { kind: 'refused', error, retryAfterSeconds: waitSeconds }
  }
  if (status >= 200 && status < 300)
    return value ? { kind: 'done', value } : { kind: 'unknown', reason: "the answer isn't a JSON object" }
  const reason = `status ${status} without the network's error format`
  if (isProxyRefusal(status)) return { kind: 'not_sent', reason }
  if (isTrouble) return { kind: 'unknown', reason }
  return { kind: 'refused', error: classifyNetworkStatus(status), retryAfterSeconds: waitSeconds }
}

function parseObject(body: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'), withWholeIds)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Reads the answer with `read`; an answer without the expected fields is unknown. */
export const readAnswer = <Value>(
  answered: Answered<Record<string, unknown>>,
  read: (value: Record<string, unknown>) => Value | undefined,
): Answered<Value> => {
  if (answered.kind !== 'done') return answered
  const value = read(answered.value)
  return value === undefined
    ? { kind: 'unknown', reason: "the answer doesn't have the requested data" }
    : { kind: 'done', value }
}

/** Returns a segment of a path. */
export const segment = (id: string): string => `/${encodeURIComponent(id)}`
