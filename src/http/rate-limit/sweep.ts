/** Entries checked for each new one, so that the memory shrinks faster than it can grow. */
const INSPECTED_PER_NEWCOMER = 4

/**
 * Builds a function that checks the next few `entries` in turn and deletes those that `mayForget` allows. It
 * passes `nowMs` on.
 */
export function sweepOver<Value>(
  entries: Map<string, Value>,
  mayForget: (value: Value, nowMs: number) => boolean,
): (nowMs: number) => void {
  let sweep = entries.entries()
  return (nowMs) => {
    for (let inspected = 0; inspected < INSPECTED_PER_NEWCOMER; inspected++) {
      const next = sweep.next()
      if (next.done) {
        sweep = entries.entries()
        return
      }
      const [key, value] = next.value
      if (mayForget(value, nowMs)) entries.delete(key)
    }
  }
}
