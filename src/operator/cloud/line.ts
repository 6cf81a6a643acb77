import { Agent } from 'undici'
import { SECOND_MS } from '../../core/clock.ts'
import { isObject, objectsIn, textOrNull } from '../../core/values/storable.ts'
import { classifyError, isOperatorError } from '../error-classes.ts'
import type { Answered } from '../port.ts'
import { type Exchange, type Exchanged, exchangeOnce } from './exchange-once.ts'
import { interpretForeignAnswer, objectIn, refused } from './handover.ts'

/** Settings of the operator's HTTP API. */
export type LineOptions = {
  /** Version segment of every address. Default: v24.0. */
  version?: string
  /** Longest wait for one answer, including queueing and connecting. Default: 30 s. */
  timeoutMs?: number
  /** Longest wait for a connection. Default: 5 s. */
  connectTimeoutMs?: number
  /** Connections kept open to one address. Default: 64. */
  connections?: number
  near?: InProcessServer | undefined
}

/** A far side in this process: requests to its origin need no connection. */
export type InProcessServer = {
  origin: string
  /** Resolves like an exchange over a connection; undefined if this exchange needs a connection. */
  exchange(exchange: Exchange, timeoutMs: number): Promise<Exchanged> | undefined
  /** Aborts the exchanges in flight. */
  close(): void
}

/** A request to one of the operator's addresses; `path` follows the version, e.g. `/106…/messages`. */
export type LineRequest = {
  method: Exchange['method']
  path: string
  headers?: Record<string, string>
  body?: Exchange['body']
  /** Replaces the line's own timeout. */
  timeoutMs?: number
  mayBegin?: Exchange['mayBegin']
}

/** The address of the operator's API, and the caller's token; null for calls that name the app in their parameters. */
type Caller = { baseUrl: string; token: string | null }

/** The kept-alive connections to the operator, and two ways to use them. */
export type Line = {
  /** Sends once and returns how the exchange ended; never rejects. */
  exchange(caller: Caller, request: LineRequest): Promise<Exchanged>
  /** Like `exchange`, for calls that answer JSON. Sends `json` as the body. */
  call(caller: Caller, request: LineRequest & { json?: unknown }): Promise<Answered<Record<string, unknown>>>
  /** For callers that read a stream themselves, such as the bytes of a file. */
  agent: Agent
  timeoutMs: number
  close(): Promise<void>
}

/** Opens one limited set of connections to the operator (docs/formats.md section 1). */
export function openLine(options: LineOptions = {}): Line {
  const { version = 'v24.0', timeoutMs = 30 * SECOND_MS } = options
  const { connectTimeoutMs = 5 * SECOND_MS, connections = 64, near } = options
  const agent = new Agent({
    connections,
    // One request at a time on a connection: a request queued after a broken one was certainly never written.
    pipelining: 1,
    allowH2: false,
    connect: { timeout: connectTimeoutMs },
    // The deadline of each exchange covers these.
    headersTimeout: 0,
    bodyTimeout: 0,
    // Idle connections are closed before the operator closes them during a request.
    keepAliveTimeout: 4 * SECOND_MS,
  })
  const baseOf = rememberedBases()

  async function exchange({ baseUrl, token }: Caller, request: LineRequest): Promise<Exchanged> {
    const base = baseOf(baseUrl)
    if (base === undefined)
      return { kind: 'failed', written: false, reason: `not an http address: ${baseUrl}` }
    const { method, path, headers, body = null, mayBegin } = request
    const exchange: Exchange = {
      method,
      origin: base.origin,
      path: `${base.prefix}/${version}${path}`,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        'user-agent': 'parley',
        ...headers,
      },
      body,
      mayBegin,
    }
    const withinMs = request.timeoutMs ?? timeoutMs
    const answered = near?.origin === base.origin ? near.exchange(exchange, withinMs) : undefined
    return answered ?? exchangeOnce(agent, exchange, withinMs)
  }

  return {
    exchange,
    call: async (caller, { json, ...request }) =>
      answeredOf(
        await exchange(
          caller,
          json === undefined
            ? request
            : {
                ...request,
                headers: { 'content-type': 'application/json', ...request.headers },
                body: JSON.stringify(json),
              },
        ),
      ),
    agent,
    timeoutMs,
    close: () => {
      near?.close()
      return agent.destroy()
    },
  }
}

const NO_CONTENT = 204

/**
 * Returns the result of a call: the operator's JSON object, its refusal, or unknown. A proxy may also answer
 * 200.
 */
export function answeredOf(exchanged: Exchanged): Answered<Record<string, unknown>> {
  if (exchanged.kind === 'failed')
    return { kind: exchanged.written ? 'unknown' : 'not_sent', reason: exchanged.reason }
  const { status, headers } = exchanged
  const body = status === NO_CONTENT ? {} : objectIn(exchanged.body)
  if (isOperatorError(body?.error)) return refused(classifyError(body?.error), headers)
  if (status >= 200 && status < 300) {
    if (body === undefined) return { kind: 'unknown', reason: "the answer isn't a JSON object" }
    return body.success === false
      ? { kind: 'unknown', reason: 'the operator reported no success' }
      : { kind: 'done', value: body }
  }
  return interpretForeignAnswer(status, headers)
}

/** One page of a list, and the cursor of the next. An answer without a list is not an empty page. */
export type Page = { data: Record<string, unknown>[]; after: string | null }

/** Reads the page in an answer (docs/formats.md section 6.1). */
export function pageOf(answered: Answered<Record<string, unknown>>): Answered<Page> {
  if (answered.kind !== 'done') return answered
  const { data, paging: pagingValue } = answered.value
  if (!Array.isArray(data)) return { kind: 'unknown', reason: 'the answer has no list' }
  const paging = isObject(pagingValue) ? pagingValue : {}
  const cursors = isObject(paging.cursors) ? paging.cursors : {}
  // The last page also has cursors, but no next.
  const next = textOrNull(paging.next)
  if (next === null) return { kind: 'done', value: { data: objectsIn(data), after: null } }
  const after = textOrNull(cursors.after) ?? URL.parse(next)?.searchParams.get('after')
  return after
    ? { kind: 'done', value: { data: objectsIn(data), after } }
    : { kind: 'unknown', reason: 'the answer has no position of the next page' }
}

type Base = { origin: string; prefix: string }

// A deployment has one or two; the limit only contains a mistake.
const maxBases = 1000

function rememberedBases(): (baseUrl: string) => Base | undefined {
  const bases = new Map<string, Base>()
  return (baseUrl) => {
    const existing = bases.get(baseUrl)
    if (existing !== undefined) return existing
    const base = parseBase(baseUrl)
    if (base !== undefined && bases.size < maxBases) bases.set(baseUrl, base)
    return base
  }
}

function parseBase(baseUrl: string): Base | undefined {
  const url = URL.parse(baseUrl)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined
  return { origin: url.origin, prefix: url.pathname.replace(/\/+$/, '') }
}
