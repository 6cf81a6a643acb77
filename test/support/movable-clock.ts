import { type Clock, later, systemClock } from '../../src/core/clock.ts'

/** The system's clock until it is moved forward: then that much ahead of it. */
export type MovableClock = Clock & { move(seconds: number): void }

/** A clock that stands at the system's time. */
export function movableClock(): MovableClock {
  let aheadMs = 0
  return {
    now: () => later(systemClock.now(), aheadMs),
    monotonicMs: () => systemClock.monotonicMs() + aheadMs,
    move: (seconds) => {
      aheadMs += seconds * 1000
    },
  }
}
