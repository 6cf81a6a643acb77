/** Counts durations in steps of ten microseconds: accurate enough, and cheap to update. */
const STEP_MS = 0.01
const LONGEST_MS = 5_000

export type Latency = { count: number; meanMs: number; p50Ms: number; p99Ms: number; maxMs: number }

export function durations() {
  const steps = new Uint32Array(LONGEST_MS / STEP_MS + 1)
  let count = 0
  let sum = 0
  let max = 0
  const quantile = (share: number): number => {
    const rank = Math.ceil(count * share)
    for (let i = 0, counted = 0; i < steps.length; i++) {
      counted += steps[i]!
      if (counted >= rank) return i * STEP_MS
    }
    return LONGEST_MS
  }
  return {
    add(ms: number): void {
      steps[Math.min(steps.length - 1, Math.max(0, Math.round(ms / STEP_MS)))]!++
      count++
      sum += ms
      if (ms > max) max = ms
    },
    read: (): Latency => ({
      count,
      meanMs: count === 0 ? 0 : sum / count,
      p50Ms: count === 0 ? 0 : quantile(0.5),
      p99Ms: count === 0 ? 0 : quantile(0.99),
      maxMs: max,
    }),
  }
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  if (sorted.length === 0) return Number.NaN
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** Returns the value below which 95 of 100 values are. */
export function p95(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.95))] ?? Number.NaN
}

/** Returns the growth of `y` for each unit of `x`, by least squares. */
export function slope(points: { x: number; y: number }[]): number {
  const meanX = points.reduce((sum, p) => sum + p.x, 0) / points.length
  const meanY = points.reduce((sum, p) => sum + p.y, 0) / points.length
  const spread = points.reduce((sum, p) => sum + (p.x - meanX) ** 2, 0)
  return spread === 0 ? 0 : points.reduce((sum, p) => sum + (p.x - meanX) * (p.y - meanY), 0) / spread
}
