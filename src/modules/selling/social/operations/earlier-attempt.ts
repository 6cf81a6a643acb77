import { DAY_MS, later } from '../../../../core/clock.ts'

/** The time for which Parley remembers a request by its key (spec 4.1). */
const REMEMBERED_MS = DAY_MS

/** The record made before a call to the network, and its known state. */
export type RecordedIntent = { createdAt: Date; status: string }

/**
 * Returns the result of an earlier attempt of the same request. `forgotten`: its key has expired, so this is
 * another request. `unknown`: it crashed before the answer, or got none, and is never made again (spec 4.6).
 */
export function earlierAttempt(
  intent: RecordedIntent | undefined,
  now: Date,
): 'none' | 'forgotten' | 'done' | 'unknown' {
  if (!intent) return 'none'
  if (intent.createdAt <= later(now, -REMEMBERED_MS)) return 'forgotten'
  return intent.status === 'sending' || intent.status === 'unconfirmed' ? 'unknown' : 'done'
}
