/**
 * Measures how long the event loop of this thread is blocked, in its own processor time, so that other
 * processes do not count.
 */
const milliseconds = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1_000

export type Standstill = {
  /** Milliseconds of processor time of the longest turn of the event loop since the watch began. */
  longestMs(): number
  /** Discards the measurements so far. */
  reset(): void
  stop(): void
}

/** Watches the event loop. Its timer fires once in every turn of a millisecond or longer. */
export function watchStandstill(): Standstill {
  let longest = 0
  let last = process.threadCpuUsage()
  const check = () => {
    longest = Math.max(longest, milliseconds(process.threadCpuUsage(last)))
    last = process.threadCpuUsage()
  }
  const timer = setInterval(check, 1)
  timer.unref()
  return {
    longestMs: () => {
      check()
      return longest
    },
    reset() {
      check()
      longest = 0
    },
    stop: () => clearInterval(timer),
  }
}
