import { DAY_MS, later } from '../../../core/clock.ts'

/** For how long a request is remembered by its key (spec 4.1). */
const REMEMBERED_MS = DAY_MS

/** What was recorded before a call to the network, and what is known of it. */
export type RecordedIntent = { createdAt: Date; status: string }

/**
 * What an earlier attempt of the same request came to. `forgotten`: its key is remembered no longer, so this is another
 * request. `unknown`: it died between the call and its answer, or got none: it is never made again (spec 4.6).
 */
export function earlierAttempt(
  intent: RecordedIntent | undefined,
  now: Date,
): 'none' | 'forgotten' | 'done' | 'unknown' {
  if (!intent) return 'none'
  if (intent.createdAt <= later(now, -REMEMBERED_MS)) return 'forgotten'
  return intent.status === 'sending' || intent.status === 'unconfirmed' ? 'unknown' : 'done'
}
