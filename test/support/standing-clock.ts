import { type Clock, SECOND_MS, systemClock } from '../../src/core/clock.ts'

/**
 * A stopped clock for the whole service, at a whole second. Only `POST /sandbox/clock` moves time, so a slow
 * machine doesn't matter.
 */
export function standingClock(): Clock {
  const fixedNow = new Date(Math.floor(systemClock.now().getTime() / SECOND_MS) * SECOND_MS)
  return { now: () => fixedNow, monotonicMs: systemClock.monotonicMs }
}
