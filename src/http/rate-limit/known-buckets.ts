/**
 * Remembers buckets in Redis, so that most checks don't wait for Redis. A bucket's state is its last reply
 * plus the tokens taken here since. Those are reported to Redis soon after, which charges them regardless of
 * the bucket's level.
 */
import type { Take, Verdict } from './port.ts'
import { createSweep } from './sweep.ts'
import { tokenWorth, verdictOf, waitForToken } from './verdict.ts'

/** The time for which a reply is used. */
const KNOWN_FOR_MS = 1000

/**
 * Returns how many tokens a process may take before Redis charges them: two processes exceed a bucket's size
 * by at most 5 %. It is 0 for buckets below 40, so Redis is asked every time.
 */
export const leewayOf = (burst: number): number => Math.floor(burst / 40)

/** Times are on the process's own monotonic clock, in whole milliseconds. */
export type KnownBucket = {
  take: Take
  /**
   * When the bucket is full again, in milliseconds times `refill`: Redis's reply plus the tokens taken here
   * since.
   */
  fullAt: number
  /** When Redis was asked; it answered up to `lateMs` later. */
  knownAtMs: number
  lateMs: number
  lastTakenMs: number
  /** Tokens taken here that aren't in a call yet. */
  unreported: number
  /** Tokens in calls without a reply yet. */
  inCalls: number
  /** Checks without a reply yet; later checks must wait for them. */
  asking: number
}

/** When a call was sent and when its reply arrived, in whole milliseconds: rounded down and up. */
export type CallTimes = { sentMs: number; heardMs: number }

export type KnownBuckets = {
  /** Takes the tokens and returns the verdict; undefined if Redis must be asked. */
  take(takes: readonly Take[], nowMs: number): Verdict | undefined
  /** Returns the record for a call's reply about a bucket; undefined if the bucket isn't kept. */
  bucketFor(take: Take, nowMs: number): KnownBucket | undefined
  /** Returns whether taken tokens must be reported without delay: half of a bucket's leeway is used. */
  isPressing(): boolean
  /** Returns the buckets with tokens that aren't in a call yet; the caller must report them to Redis. */
  drainUnreported(): KnownBucket[]
  forget(): void
  size(): number
}

/** Creates an empty memory of at most `maxBuckets`. While all of them are in use, new buckets aren't kept. */
export function createKnownBuckets({ maxBuckets = 100_000 } = {}): KnownBuckets {
  const buckets = new Map<string, KnownBucket>()
  let unreported: KnownBucket[] = []
  let pressing = false

  // An unknown bucket and one without a fresh reply are treated the same, so the latter can be deleted.
  const forgetOldOnes = createSweep(
    buckets,
    (bucket, nowMs) => bucket.asking + bucket.unreported + bucket.inCalls === 0 && !isFresh(bucket, nowMs),
  )

  function take(takes: readonly Take[], nowMs: number): Verdict | undefined {
    const debts: number[] = []
    let waitMs = 0
    let mayTake = true
    for (const take of takes) {
      const bucket = buckets.get(take.key)
      if (bucket === undefined || !isFresh(bucket, nowMs)) return undefined
      const debt = Math.max(0, bucket.fullAt - nowMs * take.refill)
      const bucketWaitMs = waitForToken(take, debt)
      // A check in flight may change this verdict, unless the bucket is already empty.
      if (bucket.asking > 0 && bucketWaitMs === 0) return undefined
      debts.push(debt)
      // The refusal is certain until then. The caller waits longer, so that a retry never comes too early.
      if (bucketWaitMs > 0) waitMs = Math.max(waitMs, bucketWaitMs + bucket.lateMs)
      mayTake &&= hasLeeway(bucket) && 2 * debt <= take.burst * tokenWorth(take)
    }
    if (waitMs > 0) return verdictOf(takes, debts, waitMs)
    if (!mayTake) return undefined
    for (let i = 0; i < takes.length; i++) {
      const take = takes[i] as Take
      const bucket = buckets.get(take.key) as KnownBucket
      debts[i] = (debts[i] as number) + tokenWorth(take)
      bucket.fullAt = nowMs * take.refill + (debts[i] as number)
      bucket.lastTakenMs = nowMs
      if (bucket.unreported++ === 0) unreported.push(bucket)
      pressing ||= 2 * bucket.unreported >= leewayOf(take.burst)
    }
    return verdictOf(takes, debts, 0)
  }

  function bucketFor(take: Take, nowMs: number): KnownBucket | undefined {
    if (leewayOf(take.burst) === 0) return undefined
    const existing = buckets.get(take.key)
    if (existing) return existing
    forgetOldOnes(nowMs)
    if (buckets.size >= maxBuckets) return undefined
    const fresh = {
      take,
      fullAt: 0,
      knownAtMs: Number.NEGATIVE_INFINITY,
      lateMs: 0,
      lastTakenMs: 0,
      unreported: 0,
      inCalls: 0,
      asking: 0,
    }
    buckets.set(take.key, fresh)
    return fresh
  }

  return {
    take,
    bucketFor,
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
 * Records the `debt` that Redis replied, to which uncharged tokens are added. Redis was asked at `sentMs` and
 * answered by `heardMs`. Counting from `sentMs` never shows fewer tokens than are left.
 */
export function updateDebt(bucket: KnownBucket, debt: number, { sentMs, heardMs }: CallTimes): void {
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

/** After the clock was set back, nothing is fresh. */
const isFresh = ({ knownAtMs }: KnownBucket, nowMs: number): boolean =>
  nowMs >= knownAtMs && nowMs - knownAtMs <= KNOWN_FOR_MS
