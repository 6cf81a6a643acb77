import { type Clock, later, systemClock } from '../../src/core/clock.ts'

/** A clock of the whole service that goes on by itself and can be moved ahead. */
export type MovingClock = Clock & { aheadMs: number }

export function movingClock(): MovingClock {
  const clock: MovingClock = {
    aheadMs: 0,
    now: () => later(systemClock.now(), clock.aheadMs),
    monotonicMs: systemClock.monotonicMs,
  }
  return clock
}
