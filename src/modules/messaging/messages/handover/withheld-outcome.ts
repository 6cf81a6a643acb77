/** Decides the outcome of a message whose call does not begin after all (DECISIONS.md). */
import { later, MINUTE_MS } from '../../../../core/clock.ts'
import type { OperatorError } from '../../../../operator/port.ts'
import { lineOf } from '../trace-lines.ts'
import type { Outcome } from './outcome-writer.ts'
import type { Begun } from './queries/handovers.ts'
import { localError, MAX_WAITS_MS } from './verdict.ts'

/** The time until a restricted message is checked again: its customer may have written meanwhile. */
const LOOK_AGAIN_MS = 5 * MINUTE_MS

const RESTRICTED: OperatorError = {
  ...localError(
    'Sending blocked',
    "The operator restricts these messages from the number for more than 24 hours. The message wasn't sent. See GET /phone-numbers.",
  ),
  details: 'sending_blocked',
  category: 'account',
}

/**
 * Returns undefined if its call began. A message that Parley must no longer send is skipped. A restricted
 * message waits, and fails if the restriction outlasts the maximum wait; a campaign's message waits with its
 * campaign, which pauses.
 */
export function withheldOutcome(message: Begun, nowMs: number): Outcome | undefined {
  const { skipReason, broadcastId, blockedUntilMs, ageMs } = message
  if (skipReason !== null) return { kind: 'skipped', reason: skipReason }
  if (ageMs === null) return undefined
  const givesUpAtMs = nowMs + MAX_WAITS_MS - ageMs
  if (broadcastId === null && Math.max(nowMs, blockedUntilMs ?? 0) > givesUpAtMs)
    return { kind: 'refused', error: RESTRICTED }
  const againAtMs = nowMs + LOOK_AGAIN_MS
  const untilMs = Math.min(blockedUntilMs ?? againAtMs, againAtMs)
  const step = lineOf({ put: 'restricted', at: nowMs, until: Math.round(untilMs) })
  return { kind: 'put_off', runAt: later(new Date(0), untilMs), step }
}
