import { type Clock, SECOND_MS, systemClock } from '../../src/core/clock.ts'

/** A clock of the whole service that stands still at a whole second: only `POST /sandbox/clock` moves time, however slow the machine. */
export function standingClock(): Clock {
  const at = new Date(Math.floor(systemClock.now().getTime() / SECOND_MS) * SECOND_MS)
  return { now: () => at, monotonicMs: systemClock.monotonicMs }
}
