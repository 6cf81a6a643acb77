/**
 * Decides the health of an endpoint from its attempts: healthy, failing with occasional probes, or disabled
 * (spec 6.1; DECISIONS.md).
 */
import { DAY_MS, later, SECOND_MS } from '../../../../core/clock.ts'
import { BREAK_AFTER } from './delivery-lanes.ts'

/** An endpoint is disabled after all of its deliveries failed for this long, and at least this many. */
const FAILING_DAYS = 3
export const FAILING_DELIVERIES = 20

/** An endpoint that keeps failing is probed after 1, 2, 4 … seconds, at most this long, with some jitter. */
const MAX_PROBE_SECONDS = 60
const PROBE_JITTER = 0.1

const GONE = 'The receiver answered 410 (Gone), which stops deliveries.'
const FAILING = `Every delivery of the last ${FAILING_DAYS} days failed.`

export type Health = {
  /** Neither paused nor disabled. */
  active: boolean
  /** Failures in a row, and the time of the first. */
  failures: number
  failingSince: Date | null
}

/** Attempts of one endpoint that ended together. Times are the workspace's. */
export type Ended = {
  failed: number
  /** `ok`: at least one attempt succeeded; `gone`: at least one received 410. */
  ok: boolean
  gone: boolean
  first: Date
  last: Date
}

export type HealthAfter = {
  failures: number
  failingSince: Date | null
  /** When the next probe may be sent, in real time; null while the endpoint gets all due deliveries. */
  probeAt: Date | null
  /** The reason if these attempts disable it. */
  offReason: string | null
}

const HEALTHY: HealthAfter = { failures: 0, failingSince: null, probeAt: null, offReason: null }

/** Returns the new health. `now`: real time; `chance`: a number from 0 to 1. */
export function healthAfter(
  before: Health,
  endedAttempts: Ended,
  now: Date,
  chance: number = Math.random(),
): HealthAfter {
  // A success outweighs all failures, a 410 outweighs all successes.
  if (endedAttempts.ok && !endedAttempts.gone) return HEALTHY
  const failures = before.failures + endedAttempts.failed
  const failingSince = before.failingSince ?? endedAttempts.first
  const failsForLong =
    failures >= FAILING_DELIVERIES && failingSince <= later(endedAttempts.last, -FAILING_DAYS * DAY_MS)
  const offReason = endedAttempts.gone ? GONE : failsForLong ? FAILING : null
  return {
    failures,
    failingSince,
    probeAt: probeAfter(failures, now, chance),
    // A paused endpoint needs no notice.
    offReason: before.active ? offReason : null,
  }
}

function probeAfter(failures: number, now: Date, chance: number): Date | null {
  if (failures < BREAK_AFTER) return null
  const seconds = Math.min(MAX_PROBE_SECONDS, 2 ** (failures - BREAK_AFTER))
  return later(now, Math.round(seconds * SECOND_MS * (1 + (chance * 2 - 1) * PROBE_JITTER)))
}
