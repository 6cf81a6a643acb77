/**
 * Sends requests to the server: the session as a cookie, the workspace in a header, and each write with its
 * own idempotency key.
 */
import type { Api, DashboardApi } from '../../sdk/api.ts'
import { wait } from '../../sdk/src/wait.ts'
import { addressOf, workspaceInAddress } from './address.ts'
import { ApiError, errorOf, timeoutError, unreachableError } from './errors.ts'
import type { InputField, Shape } from './input.ts'
import { newId } from './new-id.ts'
import { mayBeSignedIn, shownAccount } from './shown-account.ts'
import { t } from './texts.ts'

type WithUndefined<Value> = { [Key in keyof Value]: Value[Key] | undefined }
export type RequestInput<Route extends Shape> = InputField<'params', Route['params']> & {
  query?: WithUndefined<Route['query']>
} & InputField<'body', Route['body']> & {
    /** The key under which a write is done once, even if it is sent again. */
    idempotencyKey?: string
    signal?: AbortSignal
    /** The time to wait for a response, if longer than usual. */
    timeoutMs?: number
  }

export type Reply<Route extends keyof Api> = Api[Route]['reply']

const TIMEOUT_MS = 20_000
/** For uploads: the server allows a minute for the upload, and then forwards the file. */
export const UPLOAD_TIMEOUT_MS = 100_000
/**
 * The maximum time to wait on the server's request (Retry-After); for longer waits the caller gets the error.
 */
const MAX_WAIT_SECONDS = 15
const MAX_WAITS = 3

type OutgoingRequest = {
  method: string
  address: string
  body?: unknown
  headers: Record<string, string>
  signal?: AbortSignal
  timeoutMs?: number | undefined
}

async function sendOnce(sent: OutgoingRequest): Promise<Response> {
  const { method, address, body, headers, signal, timeoutMs = TIMEOUT_MS } = sent
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    return await fetch(address, {
      method,
      headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw timeout.aborted ? timeoutError() : unreachableError()
  }
}

/** Sends a request, and sends it again after a short wait if the server asks for it. */
async function sendWithRetry(sent: OutgoingRequest): Promise<Response> {
  for (let waits = 0; ; waits++) {
    const response = await sendOnce(sent)
    const seconds = Number(response.headers.get('retry-after'))
    if (response.status !== 429 || waits >= MAX_WAITS || !(seconds <= MAX_WAIT_SECONDS)) return response
    await wait(Math.max(1, seconds) * 1_000, sent.signal)
  }
}

const pathOf = (path: string, params: object): string =>
  path.replace(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(String((params as Record<string, unknown>)[name])),
  )

type AnyRequestInput = {
  /** Instead of the workspace of the address. */
  workspace?: string | undefined
  params?: object
  query?: Parameters<typeof addressOf>[2]
  body?: unknown
  idempotencyKey?: string
  signal?: AbortSignal
  timeoutMs?: number
}

const sessionEnds = new Set<() => void>()
/** Calls `listener` when the session has ended. */
export function onSessionEnd(listener: () => void): () => void {
  sessionEnds.add(listener)
  return () => sessionEnds.delete(listener)
}

const rightsChanges = new Set<() => void>()
/** Calls `listener` when the member has fewer rights than the page shows. */
export function onRightsChange(listener: () => void): () => void {
  rightsChanges.add(listener)
  return () => rightsChanges.delete(listener)
}

/** Returns whether the session has ended, or the browser lost its cookie while a signed-in page is open. */
const isOver = ({ code }: ApiError): boolean =>
  code === 'session_ended' || (code === 'unauthorized' && shownAccount() !== undefined && mayBeSignedIn())

/** Another account signed in in another tab: loads the page again for that account, and never resolves. */
function reloadPage(): Promise<never> {
  location.reload()
  return new Promise(() => {})
}

/**
 * Repeats the email address or the token of a body in a header: with several cells, a proxy finds the cell of the account by it
 * and cannot read bodies.
 */
function accountHint(body: unknown): Record<string, string> {
  const { email, token, ticket } = (body ?? {}) as Record<string, unknown>
  const hint = email ?? token ?? ticket
  return typeof hint === 'string' ? { 'parley-account-hint': encodeURIComponent(hint) } : {}
}

/** Requests `route` of one of the two areas; throws an ApiError with the server's error. */
async function requestRoute(
  area: 'v1' | 'dashboard',
  route: string,
  options: AnyRequestInput,
): Promise<Response> {
  const [method = 'GET', path = ''] = route.split(' ')
  const workspace = 'workspace' in options ? options.workspace : workspaceInAddress()
  const account = shownAccount()
  const response = await sendWithRetry({
    method,
    address: addressOf(area, pathOf(path, options.params ?? {}), options.query),
    body: options.body,
    signal: options.signal,
    timeoutMs: options.timeoutMs,
    headers: {
      ...(workspace ? { 'parley-workspace': workspace } : {}),
      ...(account ? { 'parley-account': account } : accountHint(options.body)),
      ...(method === 'GET' || area === 'dashboard'
        ? {}
        : { 'idempotency-key': options.idempotencyKey ?? newId() }),
    },
  })
  if (response.ok) return response
  const error = await errorOf(response)
  if (error.code === 'other_account') return reloadPage()
  if (isOver(error)) {
    for (const listener of sessionEnds) listener()
    throw new ApiError(t('ended'), error)
  }
  if (error.code === 'forbidden') for (const listener of rightsChanges) listener()
  throw error
}

/** Reads the body of a response. An incomplete body counts as no response, so the request may be repeated. */
async function readBody<T>(read: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (signal?.aborted) throw error
    throw unreachableError()
  }
}

/** Returns the body of the response. */
async function fetchBody(
  area: 'v1' | 'dashboard',
  route: string,
  options: AnyRequestInput,
): Promise<unknown> {
  const response = await requestRoute(area, route, options)
  if (response.status === 204) return undefined
  const isText = response.headers.get('content-type')?.startsWith('text/')
  return readBody<unknown>(() => (isText ? response.text() : response.json()), options.signal)
}

type WorkspaceOption = {
  /** Instead of the workspace of the address. */
  workspace?: string | undefined
}

/** An endpoint of the API: `call('GET /contacts/{id}', { params: { id } })`. */
export const call = <Route extends keyof Api>(
  route: Route,
  ...[options]: Record<string, never> extends RequestInput<Api[Route]>
    ? [(RequestInput<Api[Route]> & WorkspaceOption)?]
    : [RequestInput<Api[Route]> & WorkspaceOption]
): Promise<Reply<Route>> =>
  fetchBody('v1', route, (options ?? {}) as AnyRequestInput) as Promise<Reply<Route>>

/** Calls an endpoint of the API that returns a file. */
export const callFile = async <Route extends keyof Api>(
  route: Route,
  options: RequestInput<Api[Route]> & WorkspaceOption,
): Promise<Blob> => {
  const response = await requestRoute('v1', route, options as AnyRequestInput)
  return readBody(() => response.blob(), options.signal)
}

/** Calls an endpoint of the dashboard only: `callDashboard('GET /session')`. */
export const callDashboard = <Route extends keyof DashboardApi>(
  route: Route,
  ...[options]: Record<string, never> extends RequestInput<DashboardApi[Route]>
    ? [(RequestInput<DashboardApi[Route]> & WorkspaceOption)?]
    : [RequestInput<DashboardApi[Route]> & WorkspaceOption]
): Promise<DashboardApi[Route]['reply']> =>
  fetchBody('dashboard', route, (options ?? {}) as AnyRequestInput) as Promise<DashboardApi[Route]['reply']>

/** Returns the bytes of a file as base64, for the body of an upload. */
export const readBase64 = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve((reader.result as string).split(',')[1] ?? '')
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
