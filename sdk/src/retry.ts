/** Decides when a request is sent again (specification 4.1, 8.1). */
import { ApiError, NoResponseError } from './errors.ts'

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

/** Returns how long to wait after this number of attempts; undefined if another attempt is useless. */
export function waitMs(error: unknown, attempt: number): number | undefined {
  if (!isPassing(error)) return undefined
  const seconds = error instanceof ApiError ? error.retryAfterSeconds : null
  if (seconds !== null) return seconds <= MAX_WAIT_SECONDS ? seconds * 1_000 : undefined
  return FIRST_WAIT_MS * 2 ** (attempt - 1) * (1 + Math.random())
}
