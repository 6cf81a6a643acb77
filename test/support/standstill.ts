/** How long the event loop of this thread stands still, in its own processor time: other processes do not count. */
const milliseconds = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1_000

export type Standstill = {
  /** Milliseconds of processor time that the longest turn of the event loop took since the watch began. */
  longestMs(): number
  /** Forgets what was seen so far. */
  reset(): void
  stop(): void
}

/** Watches the event loop. Its timer fires once in every turn that takes a millisecond or longer. */
export function watchStandstill(): Standstill {
  let longest = 0
  let last = process.threadCpuUsage()
  const look = () => {
    longest = Math.max(longest, milliseconds(process.threadCpuUsage(last)))
    last = process.threadCpuUsage()
  }
  const timer = setInterval(look, 1)
  timer.unref()
  return {
    longestMs: () => {
      look()
      return longest
    },
    reset() {
      look()
      longest = 0
    },
    stop: () => clearInterval(timer),
  }
}
