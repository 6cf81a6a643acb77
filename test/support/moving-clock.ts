import { type Clock, later, systemClock } from '../../src/core/clock.ts'

/** A clock for the whole service that advances by itself and can also be moved ahead. */
export type MovingClock = Clock & {
  aheadMs: number
  /** Calls `listener` after every move. */
  onMove(listener: () => void): void
}

export function movingClock(): MovingClock {
  const listeners: (() => void)[] = []
  let aheadMs = 0
  return {
    get aheadMs() {
      return aheadMs
    },
    set aheadMs(ms) {
      aheadMs = ms
      for (const listener of listeners) listener()
    },
    onMove: (listener) => {
      listeners.push(listener)
    },
    now: () => later(systemClock.now(), aheadMs),
    monotonicMs: systemClock.monotonicMs,
  }
}
