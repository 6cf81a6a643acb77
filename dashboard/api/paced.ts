/** Ids by name, or more than could be named. */
export type Ids = readonly string[] | 'many'

export const mergeIds = (one: Ids | undefined, other: Ids): Ids =>
  one === undefined ? other : one === 'many' || other === 'many' ? 'many' : [...new Set([...one, ...other])]

/**
 * Does `work` at once after a quiet time, and while more comes at most once in `everyMs`, with all that came meanwhile. Many pages that
 * hear of the same thing do not ask in step.
 */
export function paced(everyMs: number, work: (ids: Ids) => Promise<void>): (ids: Ids) => void {
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
    if (waiting !== undefined) later()
  }
  const later = () => {
    if (timer !== undefined || isRunning) return
    const dueMs = lastMs + everyMs * (1 + Math.random() / 5) - performance.now()
    timer = setTimeout(() => void run(), Math.max(0, dueMs))
  }
  return (ids) => {
    waiting = mergeIds(waiting, ids)
    later()
  }
}
