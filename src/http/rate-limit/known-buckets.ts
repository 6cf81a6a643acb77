/**
 * What this process knows of buckets in Redis, so that most checks need not wait for it. A bucket is known by the last reply about it and
 * by what was taken here since. That is reported to Redis soon afterwards, which charges it whatever the bucket holds by then.
 */
import type { Take, Verdict } from './port.ts'
import { sweepOver } from './sweep.ts'
import { tokenWorth, verdictOf, waitForToken } from './verdict.ts'

/** How long a reply is gone by. */
const KNOWN_FOR_MS = 1000

/**
 * How many tokens of a bucket a process may have taken that Redis has not charged yet: two processes stay within 5 % of its
 * size. None of a bucket below 40: Redis is asked about each.
 */
export const leewayOf = (burst: number): number => Math.floor(burst / 40)

/** Times are of the process's own monotonic clock, in whole milliseconds. */
export type KnownBucket = {
  take: Take
  /** When it is full again, in milliseconds times `refill`, with what was taken here since Redis said so. */
  fullAt: number
  /** When Redis was asked for that: it said so up to `lateMs` later. */
  knownAtMs: number
  lateMs: number
  lastTakenMs: number
  /** Tokens taken here that are in no call yet. */
  unreported: number
  /** Tokens in calls without a reply yet. */
  inCalls: number
  /** Checks without a reply yet: what comes after them must wait for theirs. */
  asking: number
}

/** When a call went out and when its reply came, in whole milliseconds: rounded down and up. */
export type CallTimes = { sentMs: number; heardMs: number }

export type KnownBuckets = {
  /** The verdict on a check, with its tokens taken; undefined where Redis has to be asked. */
  take(takes: readonly Take[], nowMs: number): Verdict | undefined
  /** Where to note what a call says of a bucket; undefined: it is not kept. */
  noteOf(take: Take, nowMs: number): KnownBucket | undefined
  /** Whether that should be reported without delay: half of a bucket's leeway is used. */
  isPressing(): boolean
  /** The buckets with tokens that are in no call yet; the caller now reports them to Redis. */
  drainUnreported(): KnownBucket[]
  forget(): void
  size(): number
}

/** Makes an empty memory of at most `maxBuckets`: while all of them are in use, newcomers are not kept. */
export function createKnownBuckets({ maxBuckets = 100_000 } = {}): KnownBuckets {
  const buckets = new Map<string, KnownBucket>()
  let unreported: KnownBucket[] = []
  let pressing = false

  // A bucket that nobody knows and one that was not looked at lately are the same thing.
  const forgetOldOnes = sweepOver(
    buckets,
    (bucket, nowMs) => bucket.asking + bucket.unreported + bucket.inCalls === 0 && !isFresh(bucket, nowMs),
  )

  function take(takes: readonly Take[], nowMs: number): Verdict | undefined {
    const debts: number[] = []
    let waitMs = 0
    let mayTake = true
    for (const wanted of takes) {
      const bucket = buckets.get(wanted.key)
      if (bucket === undefined || !isFresh(bucket, nowMs)) return undefined
      const debt = Math.max(0, bucket.fullAt - nowMs * wanted.refill)
      const bucketWaitMs = waitForToken(wanted, debt)
      // A check on its way may change what is said of this one, unless there is nothing left to take.
      if (bucket.asking > 0 && bucketWaitMs === 0) return undefined
      debts.push(debt)
      // Until then a refusal is certain; who comes after that must not come too early.
      if (bucketWaitMs > 0) waitMs = Math.max(waitMs, bucketWaitMs + bucket.lateMs)
      mayTake &&= hasLeeway(bucket) && 2 * debt <= wanted.burst * tokenWorth(wanted)
    }
    if (waitMs > 0) return verdictOf(takes, debts, waitMs)
    if (!mayTake) return undefined
    for (let i = 0; i < takes.length; i++) {
      const wanted = takes[i] as Take
      const bucket = buckets.get(wanted.key) as KnownBucket
      debts[i] = (debts[i] as number) + tokenWorth(wanted)
      bucket.fullAt = nowMs * wanted.refill + (debts[i] as number)
      bucket.lastTakenMs = nowMs
      if (bucket.unreported++ === 0) unreported.push(bucket)
      pressing ||= 2 * bucket.unreported >= leewayOf(wanted.burst)
    }
    return verdictOf(takes, debts, 0)
  }

  function noteOf(wanted: Take, nowMs: number): KnownBucket | undefined {
    if (leewayOf(wanted.burst) === 0) return undefined
    const known = buckets.get(wanted.key)
    if (known) return known
    forgetOldOnes(nowMs)
    if (buckets.size >= maxBuckets) return undefined
    const fresh = {
      take: wanted,
      fullAt: 0,
      knownAtMs: Number.NEGATIVE_INFINITY,
      lateMs: 0,
      lastTakenMs: 0,
      unreported: 0,
      inCalls: 0,
      asking: 0,
    }
    buckets.set(wanted.key, fresh)
    return fresh
  }

  return {
    take,
    noteOf,
    isPressing: () => pressing,
    drainUnreported() {
      const drained = unreported
      unreported = []
      pressing = false
      return drained
    },
    forget() {
      buckets.clear()
      unreported = []
      pressing = false
    },
    size: () => buckets.size,
  }
}

/**
 * Notes that Redis gave `debt` for the bucket, without what it has not charged yet. It was asked at `sentMs` and was heard at `heardMs`:
 * to count from the former shows no less than is left.
 */
export function learnDebt(bucket: KnownBucket, debt: number, { sentMs, heardMs }: CallTimes): void {
  const { take, lastTakenMs, unreported, inCalls } = bucket
  const uncharged = unreported + inCalls
  bucket.knownAtMs = sentMs
  bucket.lateMs = heardMs - sentMs
  bucket.fullAt = debt + sentMs * take.refill
  if (uncharged > 0)
    bucket.fullAt = Math.max(bucket.fullAt, lastTakenMs * take.refill) + uncharged * tokenWorth(take)
}

const hasLeeway = ({ take, unreported, inCalls }: KnownBucket): boolean =>
  unreported + inCalls < leewayOf(take.burst)

/** Nothing is, by a clock that was set back. */
const isFresh = ({ knownAtMs }: KnownBucket, nowMs: number): boolean =>
  nowMs >= knownAtMs && nowMs - knownAtMs <= KNOWN_FOR_MS
