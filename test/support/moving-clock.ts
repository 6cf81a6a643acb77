import { type Clock, later, systemClock } from '../../src/core/clock.ts'

/** A clock of the whole service that goes on by itself and can be moved ahead. */
export type MovingClock = Clock & {
  aheadMs: number
  /** Calls `listener` whenever it was moved. */
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
