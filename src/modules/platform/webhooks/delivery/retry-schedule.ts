import { SECOND_MS } from '../../../../core/clock.ts'

/** Seconds between the 12 attempts of a delivery: about 17 hours in all (spec 6.1, 8.2). */
export const RETRY_WAITS_SECONDS = [5, 30, 120, 300, 900, 1800, 3600, 7200, 10_800, 14_400, 21_600] as const

/** Each wait varies by up to this fraction, to spread the load on a recovering endpoint. */
const WAIT_JITTER = 0.1

/**
 * Returns the milliseconds to wait after failed attempt number `attempt` (from 1); undefined after the last.
 * `chance`: a number from 0 to 1.
 */
export function waitAfter(attempt: number, chance: number = Math.random()): number | undefined {
  const seconds = RETRY_WAITS_SECONDS[attempt - 1]
  if (seconds === undefined) return undefined
  return Math.round(seconds * SECOND_MS * (1 + (chance * 2 - 1) * WAIT_JITTER))
}
