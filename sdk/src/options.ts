/** The options of the client and of each request. */
import { ParleyError } from './errors.ts'

export type ParleyOptions = {
  /**
   * The address of the installation: `https://parley.example.com`, with or without `/api/v1`. Default: the
   * environment variable `PARLEY_URL`.
   */
  baseUrl?: string | undefined
  /** An API key. Default: the environment variable `PARLEY_API_KEY`. */
  apiKey?: string | undefined
  /** The maximum number of attempts for a request; default 4. */
  maxAttempts?: number | undefined
  /** The maximum duration of one attempt; default 30 seconds. */
  timeoutMs?: number | undefined
  /** The name and version of your program, which the SDK adds to its `User-Agent`: `my-shop/1.2`. */
  userAgent?: string | undefined
  /** Replaces the runtime's own `fetch`. */
  fetch?: ((address: string, request: RequestInit) => Promise<Response>) | undefined
}

/** The options of one request. */
export type RequestOptions = {
  /** The key with which a write is done only once; by default, a new key. */
  idempotencyKey?: string | undefined
  /** Ends the request, and the wait between its attempts. */
  signal?: AbortSignal | undefined
  /** The maximum duration of one attempt; default: that of the client. */
  timeoutMs?: number | undefined
  /** The maximum number of attempts; default: that of the client. */
  maxAttempts?: number | undefined
}

type Process = { env?: Record<string, string | undefined> }

/** Returns the process of the runtime; undefined in browsers and on most edges. */
const runtimeProcess = (): Process | undefined => (globalThis as { process?: Process }).process

/** Returns an option, or the environment variable that contains its default; throws if neither has a value. */
export function requireOption(value: string | undefined, name: string, variable: string): string {
  const found = value ?? runtimeProcess()?.env?.[variable]
  if (!found) throw new ParleyError(`Give \`${name}\` to Parley, or set ${variable}.`)
  return found
}

/** Returns whether the SDK may set `User-Agent`: browsers refuse the header, or ask the server about it first. */
export const mayNameItself = (): boolean => runtimeProcess()?.env !== undefined
