import { setTimeout as wait } from 'node:timers/promises'
import type { Answered } from './boot.ts'

/** Repeats a request until the bucket has a token; returns the first answer other than 429. */
export async function whenAllowed(send: () => Promise<Answered>): Promise<Answered> {
  for (;;) {
    const answer = await send()
    if (answer.status !== 429) return answer
    await wait(Number(answer.headers['retry-after']) * 1_000)
  }
}
