import { setTimeout as wait } from 'node:timers/promises'

const LOOK_AGAIN_MS = 25

/** Returns the result of `work`, or throws an error that says `reason` after `ms`. */
export async function withinTime<T>(
  work: () => T | Promise<T>,
  ms: number,
  reason: () => string,
): Promise<T> {
  const timer = new AbortController()
  const late = wait(ms, undefined, { signal: timer.signal, ref: false }).then(() => {
    throw new Error(reason())
  })
  late.catch(() => {})
  try {
    return await Promise.race([work(), late])
  } finally {
    timer.abort()
  }
}

/**
 * Calls `condition` until it returns a value other than undefined or false, and returns that value. After
 * `withinMs` it throws an error with `label` and the last error of `condition`. Set another limit only for
 * rules about time, because a long limit costs nothing when the condition comes true.
 */
export async function until<T>(
  condition: () => T | undefined | false | Promise<T | undefined | false>,
  label: string,
  withinMs = 60_000,
): Promise<T> {
  const deadline = performance.now() + withinMs
  let fault: unknown
  for (;;) {
    try {
      const leftMs = Math.max(1, deadline - performance.now())
      const found = await withinTime(condition, leftMs, () => 'the look did not come back')
      if (found !== undefined && found !== false) return found
      fault = undefined
    } catch (error) {
      // The last look is cut short by the deadline: the one before it says more.
      if (fault === undefined || performance.now() < deadline) fault = error
    }
    if (performance.now() > deadline)
      throw new Error(`${label}: not within ${withinMs} ms`, fault === undefined ? {} : { cause: fault })
    await wait(LOOK_AGAIN_MS)
  }
}
