/**
 * Collects garbage while the process is idle (docs/decisions/process.md). V8 keeps the garbage of a start, and of a load that ended,
 * until the heap grows again.
 */
import { type EventLoopUtilization, performance } from 'node:perf_hooks'
import { SECOND_MS } from '../core/clock.ts'

const TICK_MS = SECOND_MS
/** Shares of a second in which the event loop ran. */
const BUSY = 0.2
const IDLE = 0.1
/** Idle seconds before the garbage of a start is collected. */
const AFTER_START = 2
/** Idle seconds before the garbage of a load is collected: frequent short loads must not each end with a pause. */
const AFTER_LOAD = 60

/** Returns a function that takes the event loop's share of each second, and returns whether to collect now. */
export function idleWatch(): (share: number) => boolean {
  let idleSeconds = 0
  /** Idle seconds until the next collection; undefined: there was no load since the last one. */
  let dueAfter: number | undefined = AFTER_START
  return (share) => {
    idleSeconds = share < IDLE ? idleSeconds + 1 : 0
    if (share > BUSY) dueAfter ??= AFTER_LOAD
    if (dueAfter === undefined || idleSeconds < dueAfter) return false
    dueAfter = undefined
    return true
  }
}

/** Watches this process, if its command line lets programs collect garbage (bin/heap-flags.env). */
export function collectWhenIdle(): void {
  const { gc } = globalThis
  if (!gc) return
  const mayCollect = idleWatch()
  let last: EventLoopUtilization = performance.eventLoopUtilization()
  setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    // The only flavor that also returns the pages of the young generation.
    if (mayCollect(utilization)) gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  }, TICK_MS).unref()
}
