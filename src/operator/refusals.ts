import { Refusal } from '../core/errors.ts'
import type { Answered, NumberState, OperatorError } from './port.ts'

type Failed = Exclude<Answered<unknown>, { kind: 'done' }>

/** The code for an account that the operator has restricted; `account_update` reports how far. */
export const ACCOUNT_RESTRICTED = 368

/**
 * The operator's codes that have an error of ours (docs/formats.md sections 4 and 17); all others are
 * `meta_error`.
 */
const refusalByCode = new Map<
  number,
  'number_banned' | 'sending_blocked' | 'cannot_send_to_self' | 'needs_phone_number'
>([
  [131031, 'number_banned'],
  [ACCOUNT_RESTRICTED, 'sending_blocked'],
  [130497, 'sending_blocked'],
  [131042, 'sending_blocked'],
  [131037, 'sending_blocked'],
  [131045, 'sending_blocked'],
  [133010, 'sending_blocked'],
  [131021, 'cannot_send_to_self'],
  [131062, 'needs_phone_number'],
])

/**
 * Returns the state of a number after the operator refused with `code`: banned, blocked, or undefined if
 * unchanged.
 */
export function blockedStateOf(code: number): 'number_banned' | 'sending_blocked' | undefined {
  const state = refusalByCode.get(code)
  return state === 'number_banned' || state === 'sending_blocked' ? state : undefined
}

/**
 * Like `blockedStateOf`, for reports from the operator: invalid connections (token, permissions) are reported
 * too.
 */
export const numberStateOf = ({ code, category }: OperatorError): NumberState | undefined =>
  blockedStateOf(code) ?? (category === 'auth' ? 'disconnected' : undefined)

/** Codes that mean "slow down": `meta_error` with 429 instead of 400 (docs/formats.md section 17). */
const throttles = new Set([4, 17, 32, 613, 80007, 130429, 131048, 131056, 131064, 132069, 429])

/** Seconds to wait if the operator could not be reached or named no wait. */
const UNREACHED_SECONDS = 5

/**
 * Returns the error for a failed call that needed the operator's answer: `meta_error` with the operator's
 * code and message (400, or 429 with `Retry-After` when throttled), or one of our codes with the same meaning
 * (spec 7.2).
 */
export function operatorRefusal(failed: Failed): Refusal {
  if (failed.kind !== 'refused')
    return new Refusal(
      'meta_error',
      failed.kind === 'not_sent'
        ? `The operator couldn't be reached (${failed.reason}). Nothing was changed. Try again shortly.`
        : `The operator didn't answer (${failed.reason}), so the change may have been made. Check before you try again.`,
      { code: 0, status: 429, retryAfterSeconds: UNREACHED_SECONDS },
    )
  const { error, retryAfterSeconds } = failed
  const code = refusalByCode.get(error.code)
  const text = error.details === null ? error.message : `${error.message}: ${error.details}`
  if (code !== undefined) return new Refusal(code, text)
  return throttles.has(error.code)
    ? new Refusal('meta_error', text, {
        code: error.code,
        status: 429,
        retryAfterSeconds: retryAfterSeconds ?? UNREACHED_SECONDS,
      })
    : new Refusal('meta_error', text, { code: error.code })
}
