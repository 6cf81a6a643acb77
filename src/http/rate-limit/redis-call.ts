import { type CallTimes, type KnownBucket, learnDebt, leewayOf } from './known-buckets.ts'
import type { LimiterUnavailable, Take, Verdict } from './port.ts'
import { tokenWorth, verdictOf } from './verdict.ts'

/**
 * A check that waits for its verdict. `notes` has, for each bucket, the record for the reply, if the bucket
 * is kept.
 */
export type Check = {
  takes: readonly Take[]
  notes: readonly (KnownBucket | undefined)[]
  resolve(verdict: Verdict): void
  reject(error: LimiterUnavailable): void
}

/** A bucket of a call: `charge` tokens were already taken, and `asks` checks request one more each. */
export type CalledBucket = { take: Take; note: KnownBucket | undefined; charge: number; asks: number }

/**
 * One call to Redis: tokens to charge, then checks to decide. `atMs` is the time to use, -1 for the server's.
 * `buckets` has each bucket once, by its Redis key; `walk` is the list of checks for `TAKE_SCRIPT`.
 */
export type RedisCall = {
  atMs: number
  checks: Check[]
  buckets: Map<string, CalledBucket & { place: number }>
  walk: number[]
}

/** A bucket's debt may exceed its size by the leeway of this many processes. */
const PROCESSES = 10

/** Creates an empty call. */
export const newCall = (atMs: number): RedisCall => ({ atMs, checks: [], buckets: new Map(), walk: [] })

function calledBucket(call: RedisCall, take: Take, note: KnownBucket | undefined) {
  const key = `parley:rate:${take.key}:${take.refill}`
  let bucket = call.buckets.get(key)
  if (bucket === undefined) {
    bucket = { place: call.buckets.size + 1, take, note, charge: 0, asks: 0 }
    call.buckets.set(key, bucket)
  }
  return bucket
}

/** Adds a check to `call`; earlier checks are decided first. */
export function addCheck(call: RedisCall, check: Check): RedisCall {
  call.checks.push(check)
  call.walk.push(check.takes.length)
  for (let i = 0; i < check.takes.length; i++) {
    const note = check.notes[i]
    const bucket = calledBucket(call, check.takes[i] as Take, note)
    bucket.asks++
    if (note) note.asking++
    call.walk.push(bucket.place)
  }
  return call
}

/** Adds tokens that were already taken; they are charged before the call's checks are decided. */
export function addCharge(
  call: RedisCall,
  take: Take,
  note: KnownBucket | undefined,
  charge: number,
): RedisCall {
  calledBucket(call, take, note).charge += charge
  return call
}

/** Adds the tokens taken from known buckets that aren't in a call yet. */
export function addUnreported(call: RedisCall, buckets: readonly KnownBucket[]): RedisCall {
  for (const bucket of buckets) {
    addCharge(call, bucket.take, bucket, bucket.unreported)
    bucket.inCalls += bucket.unreported
    bucket.unreported = 0
  }
  return call
}

/** Returns the script's only argument besides its keys. */
export function argumentOf({ atMs, buckets, walk }: RedisCall): string {
  const figures: number[] = []
  for (const { take, charge } of buckets.values()) {
    const maxDebt = (take.burst + PROCESSES * leewayOf(take.burst)) * tokenWorth(take)
    figures.push(take.burst, take.refill, tokenWorth(take), maxDebt, charge)
  }
  return JSON.stringify([atMs, figures, walk])
}

/** Resolves the checks with the script's reply, and records the state of the buckets. */
export function readReply({ checks, buckets }: RedisCall, reply: readonly number[], times: CallTimes): void {
  let at = 0
  for (const { takes, resolve } of checks) {
    const waitMs = reply[at] as number
    const end = at + 1 + takes.length
    resolve(verdictOf(takes, reply.slice(at + 1, end), waitMs))
    at = end
  }
  for (const { note, charge, asks } of buckets.values()) {
    const debt = reply[at++] as number
    if (note === undefined) continue
    note.inCalls -= charge
    note.asking -= asks
    learnDebt(note, debt, times)
  }
}
