/**
 * A client of the API without dependencies, for every runtime with `fetch`. Sends writes with an
 * Idempotency-Key, and retries with the same key if no response arrived or the API asked to wait
 * (specification 4.1, 8.1).
 */
import type { Api } from './api.ts'
import { ApiError, NoResponseError } from './errors.ts'
import type { InputField, Shape } from './input.ts'

export type ClientOptions = {
  /** The address of the installation: `https://parley.example.com`, with or without `/api/v1`. */
  baseUrl: string
  /** An API key. */
  key: string
  /** The maximum number of attempts for a call; default 4. */
  maxAttempts?: number
  /** The maximum duration of one attempt; default 30 seconds. */
  timeoutMs?: number
  /** Replaces the runtime's own `fetch`. */
  fetch?: (address: string, request: RequestInit) => Promise<Response>
}

/** The input of a call: `{ params, query, body }`, as its endpoint requires. */
export type RequestInput<Route extends Shape> = InputField<'params', Route['params']> &
  InputField<'query', Partial<Route['query']>> &
  InputField<'body', Route['body']> & {
    /** The key with which a write is done only once; by default, a new key. */
    idempotencyKey?: string
    signal?: AbortSignal
  }
type RouteInput<Route extends keyof Api> =
  Record<string, never> extends RequestInput<Api[Route]>
    ? [input?: RequestInput<Api[Route]>]
    : [input: RequestInput<Api[Route]>]

/** Endpoints with lists that continue from `nextCursor`. */
export type ListRoute = {
  [Route in keyof Api]: Api[Route] extends {
    query: { cursor?: string }
    reply: { nextCursor: string | null }
  }
    ? Route
    : never
}[keyof Api]

type AnyRequestInput = {
  params?: Record<string, unknown>
  query?: { cursor?: unknown; [name: string]: unknown }
  body?: unknown
  idempotencyKey?: string
  signal?: AbortSignal
}

const FIRST_WAIT_MS = 250
/** If the API asks to wait longer than this, the caller receives the error. */
const MAX_WAIT_SECONDS = 60
/**
 * Temporary errors. A 502 of the API means that the result is unknown: the same key returns the same
 * response.
 */
const PASSING_STATUSES = [429, 500, 503]
const PASSING_CODES = ['idempotency_key_in_progress']
/** Errors of a gateway that could not reach the API. */
const GATEWAY_STATUSES = [502, 504]

const isPassing = (error: unknown): boolean =>
  error instanceof NoResponseError ||
  (error instanceof ApiError &&
    (PASSING_STATUSES.includes(error.status) ||
      PASSING_CODES.includes(error.code) ||
      (error.code === '' && GATEWAY_STATUSES.includes(error.status))))

const wait = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end)
      resolve()
    }, ms)
    signal?.addEventListener('abort', end, { once: true })
  })

/** Returns how long to wait after this number of attempts; undefined if another attempt is useless. */
function waitMs(error: unknown, attempt: number): number | undefined {
  if (!isPassing(error)) return undefined
  const seconds = error instanceof ApiError ? error.retryAfterSeconds : null
  if (seconds !== null) return seconds <= MAX_WAIT_SECONDS ? seconds * 1_000 : undefined
  return FIRST_WAIT_MS * 2 ** (attempt - 1) * (1 + Math.random())
}

const pathOf = (path: string, params: Record<string, unknown> = {}): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))

function queryOf(query: Record<string, unknown> = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null) search.set(name, String(value))
  return search.size > 0 ? `?${search}` : ''
}

async function errorOf(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => '')
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    body = undefined
  }
  const fields = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  return new ApiError(response.status, response.headers, fields)
}

/** Creates a client of an installation: `createClient({ baseUrl, key }).call('POST /send', { body })`. */
export function createClient(options: ClientOptions) {
  const { key, maxAttempts = 4, timeoutMs = 30_000 } = options
  const base = `${options.baseUrl.replace(/(\/api\/v1)?\/*$/, '')}/api/v1`
  const send = options.fetch ?? fetch

  /** Makes one attempt; `read` reads a successful response. */
  async function tryOnce<Value>(
    address: string,
    request: Omit<RequestInit, 'signal'> & {
      signal: AbortSignal | undefined
      idempotencyKey: string | undefined
    },
    read: (response: Response) => Promise<Value>,
  ): Promise<Value> {
    const { signal, idempotencyKey, ...rest } = request
    const timeout = AbortSignal.timeout(timeoutMs)
    try {
      const response = await send(address, {
        ...rest,
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      })
      if (!response.ok) throw await errorOf(response)
      return await read(response)
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      if (error instanceof ApiError) throw error
      throw new NoResponseError(error, idempotencyKey)
    }
  }

  async function sendRequest<Value>(
    route: string,
    input: AnyRequestInput,
    read: (response: Response) => Promise<Value>,
  ): Promise<Value> {
    const [method = 'GET', path = ''] = route.split(' ')
    const idempotencyKey = method === 'GET' ? undefined : (input.idempotencyKey ?? crypto.randomUUID())
    const request = {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        ...(input.body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(input.body !== undefined && { body: JSON.stringify(input.body) }),
      signal: input.signal,
      idempotencyKey,
    }
    for (let attempt = 1; ; attempt++)
      try {
        return await tryOnce(base + pathOf(path, input.params) + queryOf(input.query), request, read)
      } catch (error) {
        const ms = attempt < maxAttempts ? waitMs(error, attempt) : undefined
        if (ms === undefined) throw error
        await wait(ms, input.signal)
      }
  }

  /**
   * Calls an endpoint; returns its reply. Throws an ApiError for an error response, a NoResponseError if no
   * response arrived, and the reason of `signal` if it aborts the call.
   */
  const call = <Route extends keyof Api>(
    route: Route,
    ...[input]: RouteInput<Route>
  ): Promise<Api[Route]['reply']> =>
    sendRequest(route, (input ?? {}) as AnyRequestInput, async (response) =>
      response.status === 204 ? undefined : response.json(),
    ) as Promise<Api[Route]['reply']>

  /** Calls an endpoint that returns a file; returns its bytes. */
  const file = <Route extends keyof Api>(route: Route, ...[input]: RouteInput<Route>): Promise<Blob> =>
    sendRequest(route, (input ?? {}) as AnyRequestInput, (response) => response.blob())

  /** Yields the pages of a list in turn, from the newest entry on. */
  async function* pages<Route extends ListRoute>(
    route: Route,
    ...[input]: RouteInput<Route>
  ): AsyncGenerator<Api[Route]['reply']> {
    const { query, ...rest } = (input ?? {}) as AnyRequestInput
    let cursor = query?.cursor
    do {
      const page = (await sendRequest(route, { ...rest, query: { ...query, cursor } }, (response) =>
        response.json(),
      )) as {
        nextCursor?: string | null
      }
      if (page.nextCursor === undefined)
        throw new TypeError(`${route} has no nextCursor: ask for each of its pages by call.`)
      yield page as Api[Route]['reply']
      cursor = page.nextCursor
    } while (cursor !== null)
  }

  return { call, file, pages }
}
