/**
 * Sends requests. Writes have an Idempotency-Key, and are retried with the same key if no response arrived or
 * the API asked to wait (specification 4.1, 8.1).
 */
import { baseOf, queryOf } from './address.ts'
import { ApiError, NoResponseError, ParleyError, readError } from './errors.ts'
import { ListPromise } from './list-promise.ts'
import { mayNameItself, type ParleyOptions, type RequestOptions, requireOption } from './options.ts'
import { ReplyPromise, type WithResponse } from './reply-promise.ts'
import { waitMs } from './retry.ts'
import { type FileForm, formOf } from './upload.ts'
import { VERSION } from './version.ts'
import { wait } from './wait.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** The parts of a request. `path` starts after `/api/v1`, with encoded ids. */
export type Call = {
  query?: object | undefined
  body?: unknown
  /** Sent as a form instead of `body`. */
  form?: FileForm
  options?: RequestOptions | undefined
}

/** Sends the requests of a client. */
export type Transport = {
  /** Requests data. */
  json<Data>(method: Method, path: string, call: Call): ReplyPromise<Data>
  /** Requests a file. */
  file(path: string, call: Call): ReplyPromise<Blob>
  /** Requests a list that continues from `nextCursor`; `field` contains the entries of a page. */
  cursorList<Page, Entry>(path: string, field: keyof Page, call: Call): ListPromise<Page, Entry>
  /** Requests a list with numbered pages. */
  pageList<Page, Entry>(path: string, field: keyof Page, call: Call): ListPromise<Page, Entry>
  /** Downloads a file from a signed address, without the API key. */
  download(address: string, options?: RequestOptions): Promise<WithResponse<Blob>>
}

const MAX_ATTEMPTS = 4
const TIMEOUT_MS = 30_000

type Attempt = {
  address: string
  request: RequestInit
  idempotencyKey: string | undefined
  options: RequestOptions
}
type Read<Data> = (response: Response) => Promise<Data>

const readJson = async <Data>(response: Response): Promise<Data> =>
  (response.status === 204 ? undefined : await response.json()) as Data
const readBlob: Read<Blob> = (response) => response.blob()

/** Creates the transport of a client; throws a ParleyError if an option is missing. */
export function createTransport(options: ParleyOptions): Transport {
  const { maxAttempts = MAX_ATTEMPTS, timeoutMs = TIMEOUT_MS } = options
  const base = baseOf(requireOption(options.baseUrl, 'baseUrl', 'PARLEY_URL'))
  const apiKey = requireOption(options.apiKey, 'apiKey', 'PARLEY_API_KEY')
  const fetchOnce = options.fetch ?? ((address, request) => fetch(address, request))
  const agent = [options.userAgent, `parley-sdk-js/${VERSION}`].filter(Boolean).join(' ')
  const ownHeaders = {
    authorization: `Bearer ${apiKey}`,
    ...(mayNameItself() && { 'user-agent': agent }),
  }

  /** Makes one attempt; `read` reads a successful response. */
  async function tryOnce<Data>(attempt: Attempt, read: Read<Data>): Promise<WithResponse<Data>> {
    const { signal } = attempt.options
    const timeout = AbortSignal.timeout(attempt.options.timeoutMs ?? timeoutMs)
    try {
      const response = await fetchOnce(attempt.address, {
        ...attempt.request,
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      })
      if (!response.ok) throw await readError(response)
      return {
        data: await read(response),
        response,
        requestId: response.headers.get('x-request-id'),
        replayed: response.headers.get('idempotent-replayed') === 'true',
      }
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      if (error instanceof ApiError) throw error
      throw new NoResponseError(error, attempt.idempotencyKey)
    }
  }

  async function tryUntilDone<Data>(attempt: Attempt, read: Read<Data>): Promise<WithResponse<Data>> {
    const limit = attempt.options.maxAttempts ?? maxAttempts
    for (let number = 1; ; number++)
      try {
        return await tryOnce(attempt, read)
      } catch (error) {
        const ms = number < limit ? waitMs(error, number) : undefined
        if (ms === undefined) throw error
        await wait(ms, attempt.options.signal)
      }
  }

  async function send<Data>(
    method: Method,
    path: string,
    call: Call,
    read: Read<Data>,
  ): Promise<WithResponse<Data>> {
    const { query, body, form, options: given = {} } = call
    const idempotencyKey = method === 'GET' ? undefined : (given.idempotencyKey ?? crypto.randomUUID())
    const headers = {
      ...ownHeaders,
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    const sentBody = form ? await formOf(form) : body === undefined ? undefined : JSON.stringify(body)
    const request = { method, headers, ...(sentBody !== undefined && { body: sentBody }) }
    return tryUntilDone(
      { address: base + path + queryOf(query), request, idempotencyKey, options: given },
      read,
    )
  }

  function listOf<Page, Entry>(
    path: string,
    field: keyof Page,
    call: Call,
    nextQuery: (page: Page) => object | undefined,
  ): ListPromise<Page, Entry> {
    const load = (query: object | undefined): Promise<WithResponse<Page>> =>
      send('GET', path, { ...call, query }, readJson<Page>)
    return new ListPromise(
      load(call.query),
      (page) => {
        const query = nextQuery(page)
        return query && load({ ...call.query, ...query })
      },
      (page) => page[field] as Entry[],
    )
  }

  return {
    json: <Data>(method: Method, path: string, call: Call) =>
      new ReplyPromise<Data>(send(method, path, call, readJson<Data>)),
    file: (path, call) => new ReplyPromise(send('GET', path, call, readBlob)),
    cursorList: (path, field, call) =>
      listOf(path, field, call, (page) => {
        const { nextCursor } = page as { nextCursor?: string | null }
        if (nextCursor === undefined) throw new ParleyError(`The list ${path} has no nextCursor.`)
        return nextCursor === null ? undefined : { cursor: nextCursor }
      }),
    pageList: (path, field, call) =>
      listOf(path, field, call, (reply) => {
        const { page, pageSize, total } = reply as { page: number; pageSize: number; total: number }
        return page * pageSize < total ? { page: page + 1 } : undefined
      }),
    download: (address, given = {}) =>
      tryUntilDone({ address, request: {}, idempotencyKey: undefined, options: given }, readBlob),
  }
}
