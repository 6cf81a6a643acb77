/** How many are looked at for each newcomer: so a memory shrinks faster than it can grow. */
const INSPECTED_PER_NEWCOMER = 4

/**
 * Makes what drops a few of `entries` that `mayForget` says nobody needs any more: it goes round among them, a little further with
 * each call. `nowMs` is handed on.
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
