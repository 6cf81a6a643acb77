/**
 * What came of attempts makes of their endpoint: healthy, failing and probed now and then, or switched off (spec 6.1;
 * docs/decisions/webhooks.md).
 */
import { DAY_MS, later, SECOND_MS } from '../../../core/clock.ts'
import { BREAK_AFTER } from './delivery-lanes.ts'

/** An endpoint whose deliveries all failed this long, and at least this many of them, is switched off. */
const FAILING_DAYS = 3
export const FAILING_DELIVERIES = 20

/** Probes of an endpoint that keeps failing come after 1, 2, 4 … seconds, at last so many apart, each shortened or stretched a little. */
const MAX_PROBE_SECONDS = 60
const PROBE_JITTER = 0.1

const GONE = 'The receiver answered 410 (Gone), which stops deliveries.'
const FAILING = `Every delivery of the last ${FAILING_DAYS} days failed.`

export type Health = {
  /** Neither paused nor switched off. */
  active: boolean
  /** Failures in a row, and since when. */
  failures: number
  failingSince: Date | null
}

/** Attempts of one endpoint that ended together. Times are the workspace's. */
export type Ended = {
  failed: number
  /** Whether any succeeded, and whether any was answered 410. */
  ok: boolean
  gone: boolean
  first: Date
  last: Date
}

export type HealthAfter = {
  failures: number
  failingSince: Date | null
  /** When the next probe may go, in real time; null while it gets all that is due. */
  probeAt: Date | null
  /** Why it is switched off by these attempts. */
  offReason: string | null
}

const HEALTHY: HealthAfter = { failures: 0, failingSince: null, probeAt: null, offReason: null }

/** `now` is real time; `chance` is a number from 0 to 1. */
export function healthAfter(
  before: Health,
  ended: Ended,
  now: Date,
  chance: number = Math.random(),
): HealthAfter {
  // One success makes up for all failures, a 410 for all successes.
  if (ended.ok && !ended.gone) return HEALTHY
  const failures = before.failures + ended.failed
  const failingSince = before.failingSince ?? ended.first
  const failsForLong =
    failures >= FAILING_DELIVERIES && failingSince <= later(ended.last, -FAILING_DAYS * DAY_MS)
  const offReason = ended.gone ? GONE : failsForLong ? FAILING : null
  return {
    failures,
    failingSince,
    probeAt: probeAfter(failures, now, chance),
    // Whoever paused it has seen to it.
    offReason: before.active ? offReason : null,
  }
}

function probeAfter(failures: number, now: Date, chance: number): Date | null {
  if (failures < BREAK_AFTER) return null
  const seconds = Math.min(MAX_PROBE_SECONDS, 2 ** (failures - BREAK_AFTER))
  return later(now, Math.round(seconds * SECOND_MS * (1 + (chance * 2 - 1) * PROBE_JITTER)))
}
