import { SECOND_MS } from '../core/clock.ts'
import type { ChatwootAnswer } from './port.ts'

/** The pauses before the second and later attempts, in seconds. */
const PAUSES = [1, 2, 4, 8]
/** A longer demanded pause is left to the caller, which may do other work meanwhile. */
const MAX_PAUSE = 60

export type Pause = (ms: number) => Promise<unknown>

/** Repeats a read that may succeed later, a bounded number of times and with growing pauses. */
export async function withRetries<Value>(
  pause: Pause,
  read: () => Promise<ChatwootAnswer<Value>>,
): Promise<ChatwootAnswer<Value>> {
  for (const seconds of PAUSES) {
    const answer = await read()
    if (answer.kind !== 'later') return answer
    const wait = Math.max(seconds, answer.retryAfterSeconds ?? 0)
    if (wait > MAX_PAUSE) return answer
    await pause(wait * SECOND_MS)
  }
  return read()
}
