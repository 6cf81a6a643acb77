import { classifyError } from '../../error-classes.ts'
import { expiredToken, type GraphAnswer, graphError } from '../graph-errors.ts'
import type { NumberState, SimulatedNumber } from '../store.ts'
import type { Outcome } from './faults.ts'

// The status that the operator documents for a code, if not 400 (docs/formats.md section 4).
const statusByCode: Record<number, number> = {
  0: 401,
  2: 503,
  3: 500,
  190: 401,
  368: 403,
  130497: 403,
  131000: 500,
  131005: 403,
  131016: 500,
  131031: 403,
  131045: 500,
  131057: 500,
  132001: 404,
  133004: 503,
}

/**
 * Returns a refusal with one of the operator's codes and its text. Throttles have the status from the
 * settings.
 */
export function refusalWith(
  code: number,
  throttleStatus: number,
  more: { status?: number; subcode?: number; headers?: Record<string, string>; details?: string } = {},
): GraphAnswer {
  const { title, category } = classifyError({ code })
  const status = category === 'throttle' ? throttleStatus : (statusByCode[code] ?? 400)
  return graphError(code, `(#${code}) ${title}`, { status, details: title, ...more })
}

/**
 * Returns the answer that a fault uses instead of running the call; undefined for faults with another effect.
 */
export function faultAnswer(
  outcome: Outcome,
  throttleStatus: number,
  accountId: string,
): GraphAnswer | undefined {
  if ('error' in outcome) {
    const { error, status, subcode, retryAfterSeconds, regainMinutes } = outcome
    const headers: Record<string, string> = {}
    if (retryAfterSeconds !== undefined) headers['retry-after'] = String(retryAfterSeconds)
    if (regainMinutes !== undefined)
      headers['x-business-use-case-usage'] = JSON.stringify({
        [accountId]: [{ type: 'whatsapp', call_count: 100, estimated_time_to_regain_access: regainMinutes }],
      })
    return refusalWith(error, throttleStatus, {
      headers,
      ...(status && { status }),
      ...(subcode && { subcode }),
    })
  }
  return 'answer' in outcome ? plainAnswer(outcome.answer) : undefined
}

/** Returns an answer that is not from the operator. */
export const plainAnswer = ({ status, text }: { status: number; text: string }): GraphAnswer => ({
  status,
  bytes: Buffer.from(text),
  headers: { 'content-type': 'text/html; charset=utf-8' },
})

const codeByStatus: Partial<Record<NumberState['status'], number>> = {
  BANNED: 131031,
  DISCONNECTED: 133010,
  PENDING: 133010,
}

/** Returns why this number's credentials do not work, or why it cannot send. */
export function numberRefusal(
  { state }: SimulatedNumber,
  sends: boolean,
  now: Date,
): GraphAnswer | undefined {
  if (state === undefined) return undefined
  if (state.tokenExpired) return expiredToken(now)
  const code = sends ? codeByStatus[state.status] : undefined
  return code === undefined ? undefined : refusalWith(code, 400)
}
