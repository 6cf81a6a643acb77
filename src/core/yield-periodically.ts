import { setImmediate as nextTurn } from 'node:timers/promises'
import { systemClock } from './clock.ts'

/** The longest time that one step of work may occupy the event loop. All other requests wait meanwhile. */
const SLICE_MS = 10

/**
 * Returns a function to call between the steps of long work. After each slice of time, the function lets other requests run
 * first.
 */
export function yieldPeriodically(): () => Promise<void> {
  let startedMs = systemClock.monotonicMs()
  return async () => {
    if (systemClock.monotonicMs() - startedMs < SLICE_MS) return
    await nextTurn()
    startedMs = systemClock.monotonicMs()
  }
}
