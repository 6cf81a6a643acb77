import { realMs, systemClock } from '../../core/clock.ts'

/** How long the difference between real and monotonic time is used. */
const KEPT_MS = 1_000

let offsetMs = 0
let readAtMs = Number.NEGATIVE_INFINITY

/** Returns real time in milliseconds, with fractions: spans of less than a millisecond keep their order and length. */
export function realNowMs(): number {
  const monotonicMs = systemClock.monotonicMs()
  if (monotonicMs - readAtMs > KEPT_MS) {
    readAtMs = monotonicMs
    offsetMs = realMs() - monotonicMs
  }
  return monotonicMs + offsetMs
}
