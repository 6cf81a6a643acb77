/**
 * Decides from recent results whether to assume the usual case: each wrong assumption costs a transaction.
 */
const MIN_PAUSE = 8
const MAX_PAUSE = 256

export type Optimism = {
  /** Returns whether the next batch may try; call it once before each batch. */
  mayTry(): boolean
  succeeded(): void
  failed(): void
}

/**
 * After a failure, the next batches skip the attempt. Each failure in a row doubles their number, until a
 * success.
 */
export function createOptimism(): Optimism {
  let pause = MIN_PAUSE
  let left = 0
  return {
    mayTry() {
      if (left === 0) return true
      left--
      return false
    },
    succeeded() {
      pause = MIN_PAUSE
    },
    failed() {
      left = pause
      pause = Math.min(pause * 2, MAX_PAUSE)
    },
  }
}
