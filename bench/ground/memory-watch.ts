import type { ServerUse } from './server-use.ts'
import { slope } from './statistics.ts'

export type MemoryReport = {
  maxMb: number
  lastMb: number
  slopeMbPerHour: number
  seconds: number
  /** The maximum heap of JavaScript values. */
  maxHeapMb: number
}

const MB = 1024 * 1024

/**
 * Reads a process's resident memory every `everyMs` until `end`. Points before `settleSeconds` do not count
 * in the slope.
 */
export function watchMemory(use: () => Promise<ServerUse>, everyMs = 250, settleSeconds = 0) {
  const points: { x: number; y: number }[] = []
  let maxHeapMb = 0
  const startedMs = performance.now()
  const timer = setInterval(() => {
    use().then(
      ({ rss, heapUsed }) => {
        points.push({ x: (performance.now() - startedMs) / 1000, y: rss / MB })
        maxHeapMb = Math.max(maxHeapMb, heapUsed / MB)
      },
      () => {},
    )
  }, everyMs)
  // A goal that fails before `end` must not keep the run alive.
  timer.unref()
  return {
    end: (): MemoryReport => {
      clearInterval(timer)
      const settled = points.filter((point) => point.x >= settleSeconds)
      return {
        maxHeapMb,
        maxMb: Math.max(...points.map((point) => point.y)),
        lastMb: points.at(-1)?.y ?? 0,
        slopeMbPerHour: settled.length > 2 ? slope(settled) * 3600 : 0,
        seconds: points.at(-1)?.x ?? 0,
      }
    },
  }
}
