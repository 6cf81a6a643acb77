import { setImmediate as nextTurn } from 'node:timers/promises'
import { systemClock } from './clock.ts'

/** The longest time that one step of work may occupy the event loop. All other requests wait meanwhile. */
const SLICE_MS = 10

/**
 * Returns a function to call between the steps of long work. After each slice of time, the function lets other requests run
 * first.
 */
export function inSlices(): () => Promise<void> {
  let begunMs = systemClock.monotonicMs()
  return async () => {
    if (systemClock.monotonicMs() - begunMs < SLICE_MS) return
    await nextTurn()
    begunMs = systemClock.monotonicMs()
  }
}
