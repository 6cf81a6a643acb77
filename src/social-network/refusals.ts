import { Refusal } from '../core/errors.ts'
import type { Answered, NetworkError } from './port.ts'

type Failed = Exclude<Answered<unknown>, { kind: 'done' }>

/** Seconds to wait if the network could not be reached or named no wait. */
const UNREACHED_SECONDS = 5

const slowDown = (message: string, code: number, seconds: number | null): Refusal =>
  new Refusal('meta_error', message, {
    code,
    status: 429,
    retryAfterSeconds: seconds ?? UNREACHED_SECONDS,
  })

function refusalOf(error: NetworkError, retryAfterSeconds: number | null): Refusal {
  switch (error.kind) {
    case 'token':
    case 'permission':
      return new Refusal(
        'reconnect_required',
        `${error.message.replace(/\.?$/, '.')} Connect the account again.`,
      )
    case 'window':
      return new Refusal('outside_24h_window', error.message)
    case 'throttle':
    case 'transient':
      return slowDown(error.message, error.code, retryAfterSeconds)
    case 'blocked':
    case 'content':
    case 'missing':
    case 'quota':
    case 'other':
      return new Refusal('meta_error', error.message, { code: error.code })
  }
}

/**
 * Returns the error for a failed call that needed the network's answer (spec 7.2): one of our codes with the
 * same meaning, else `meta_error` with the network's code and message (429 with `Retry-After` if a retry is
 * right). Sends and replies with an unknown outcome have their own codes.
 */
export function networkRefusal(failed: Failed): Refusal {
  if (failed.kind === 'refused') return refusalOf(failed.error, failed.retryAfterSeconds)
  return failed.kind === 'not_sent'
    ? slowDown(
        `The network couldn't be reached (${failed.reason}). Nothing was changed. Try again shortly.`,
        0,
        null,
      )
    : slowDown(`The network didn't answer (${failed.reason}). Try again shortly.`, 0, null)
}
