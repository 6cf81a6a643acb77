/** Whether the usual case may be assumed, by how often it was there lately: each time in vain costs a transaction. */
const MIN_PAUSE = 8
const MAX_PAUSE = 256

export type Optimism = {
  /** Asked once before each batch: whether it may be tried. */
  mayTry(): boolean
  succeeded(): void
  failed(): void
}

/** After a failure the next batches are not tried, twice as many each time until one succeeds. */
export function optimism(): Optimism {
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
