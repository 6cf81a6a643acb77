/** Named IDs, or `many` if there are more than can be named. */
export type Ids = readonly string[] | 'many'

export const mergeIds = (a: Ids | undefined, b: Ids): Ids =>
  a === undefined ? b : a === 'many' || b === 'many' ? 'many' : [...new Set([...a, ...b])]

/**
 * Runs `work` immediately after a quiet time, and at most every `everyMs` while IDs arrive, with all IDs
 * since the last run. A random delay keeps pages with the same changes from sending requests together.
 */
export function throttle(everyMs: number, work: (ids: Ids) => Promise<void>): (ids: Ids) => void {
  let waiting: Ids | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let lastMs = Number.NEGATIVE_INFINITY
  let isRunning = false

  const run = async () => {
    timer = undefined
    const ids = waiting!
    waiting = undefined
    isRunning = true
    lastMs = performance.now()
    await work(ids).catch(() => {})
    isRunning = false
    if (waiting !== undefined) schedule()
  }
  const schedule = () => {
    if (timer !== undefined || isRunning) return
    const dueMs = lastMs + everyMs * (1 + Math.random() / 5) - performance.now()
    timer = setTimeout(() => void run(), Math.max(0, dueMs))
  }
  return (ids) => {
    waiting = mergeIds(waiting, ids)
    schedule()
  }
}
