import { setImmediate as nextTurn } from 'node:timers/promises'
import { systemClock } from './clock.ts'

/** How long one piece of work may keep the event loop. Every other request waits for that long. */
const SLICE_MS = 10

/**
 * Returns a function to call between the steps of long work. Once the work has taken a slice, the function lets other
 * requests run first.
 */
export function inSlices(): () => Promise<void> {
  let begunMs = systemClock.monotonicMs()
  return async () => {
    if (systemClock.monotonicMs() - begunMs < SLICE_MS) return
    await nextTurn()
    begunMs = systemClock.monotonicMs()
  }
}
