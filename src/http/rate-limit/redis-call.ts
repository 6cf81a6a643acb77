import type { LimiterUnavailable, Take, Verdict } from './port.ts'
import { tokenWorth, verdictOf } from './verdict.ts'

/** A check that waits for its verdict. */
export type Check = {
  takes: readonly Take[]
  resolve(verdict: Verdict): void
  reject(error: LimiterUnavailable): void
}

/**
 * Checks that go to Redis together, in the terms of `TAKE_SCRIPT`. `atMs` is the time they count by, -1 for the server's.
 * `places` has each bucket once, with its place in KEYS; `buckets` and `walk` are what the script knows of buckets and checks.
 */
export type RedisCall = {
  atMs: number
  checks: Check[]
  places: Map<string, number>
  buckets: number[]
  walk: number[]
}

/** A call without checks. */
export const newCall = (atMs: number): RedisCall => ({
  atMs,
  checks: [],
  places: new Map(),
  buckets: [],
  walk: [],
})

/** Adds a check to `call`, to be decided after those that are there. */
export function addCheck(call: RedisCall, check: Check): RedisCall {
  call.checks.push(check)
  call.walk.push(check.takes.length)
  for (const take of check.takes) {
    const key = `parley:rate:${take.key}:${take.refill}`
    let place = call.places.get(key)
    if (place === undefined) {
      place = call.places.size + 1
      call.places.set(key, place)
      call.buckets.push(take.burst, take.refill, tokenWorth(take))
    }
    call.walk.push(place)
  }
  return call
}

/** The script's one argument besides its keys. */
export const argumentOf = ({ atMs, buckets, walk }: RedisCall): string =>
  JSON.stringify([atMs, buckets, walk])

/** Hands the script's reply to those who wait for it. */
export function answerChecks(checks: readonly Check[], reply: readonly number[]): void {
  let at = 0
  for (const { takes, resolve } of checks) {
    const waitMs = reply[at] as number
    const end = at + 1 + takes.length
    resolve(verdictOf(takes, reply.slice(at + 1, end), waitMs))
    at = end
  }
}
