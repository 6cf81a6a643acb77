import { type Clock, SECOND_MS } from '../../../core/clock.ts'
import type { SimulatedNumber } from '../store.ts'
import type { Settings } from './settings.ts'

const pairBurst = 45
const pairEveryMs = 6 * SECOND_MS
const perSecondByThroughput = { STANDARD: 80, HIGH: 1000, NOT_APPLICABLE: 20 }
const maxPairs = 100_000

/**
 * Checks messages against the limits: returns the operator's code of a broken limit, otherwise counts the
 * message.
 */
export type Limits = {
  check(number: SimulatedNumber, to: string, settings: Settings['limits']): 130429 | 131056 | undefined
  clear(): void
}

type Bucket = { tokens: number; at: number }

/**
 * Creates the limits of a number and of a pair of number and customer (docs/formats.md section 12), each a
 * token bucket.
 */
export function createLimits(clock: Clock): Limits {
  const numbers = new Map<string, Bucket>()
  const pairs = new Map<string, Bucket>()

  function refilledBucket(
    buckets: Map<string, Bucket>,
    key: string,
    capacity: number,
    everyMs: number,
  ): Bucket {
    const now = clock.monotonicMs()
    const existing = buckets.get(key)
    const tokens = existing ? Math.min(capacity, existing.tokens + (now - existing.at) / everyMs) : capacity
    const bucket = { tokens, at: now }
    // Inserted again, so that the oldest is first.
    buckets.delete(key)
    buckets.set(key, bucket)
    return bucket
  }

  return {
    check(number, to, settings) {
      const perSecond = settings.perSecond ?? perSecondByThroughput[number.state?.throughput ?? 'STANDARD']
      const own = settings.throughput
        ? refilledBucket(numbers, number.operatorId, perSecond, SECOND_MS / perSecond)
        : undefined
      if (own && own.tokens < 1) return 130429
      const pair = settings.pair
        ? refilledBucket(pairs, `${number.operatorId} ${to}`, pairBurst, pairEveryMs)
        : undefined
      if (pair && pair.tokens < 1) return 131056
      if (own) own.tokens--
      if (pair) pair.tokens--
      if (pairs.size > maxPairs) pairs.delete(pairs.keys().next().value as string)
      return undefined
    },
    clear() {
      numbers.clear()
      pairs.clear()
    },
  }
}
