import type { RateLimitStore, Take, Verdict } from './port.ts'
import { createSweep } from './sweep.ts'
import { tokenWorth, verdictOf, waitForToken } from './verdict.ts'

type Entry = { fullAt: number; refill: number }

/** The synchronous store of one process. */
export type MemoryStore = Omit<RateLimitStore, 'take'> & {
  take(takes: readonly Take[], nowMs: number): Verdict
  /**
   * Returns the whole seconds until each bucket has a token; 0 if a check would be allowed. Takes no token.
   */
  waitSeconds(takes: readonly Take[], nowMs: number): number
  /** Returns the number of stored buckets. */
  size(): number
}

/**
 * Creates an in-process store of at most `maxBuckets`. While all of them are in use, the store rejects
 * requests that need a new bucket for a second, because deleting a used bucket would refill it.
 */
export function createMemoryStore({ maxBuckets = 500_000 } = {}): MemoryStore {
  const entries = new Map<string, Entry>()
  // A full bucket and an unknown one are the same, so only full ones may be deleted.
  const forgetFullOnes = createSweep(entries, ({ fullAt, refill }, nowMs) => fullAt <= nowMs * refill)

  function take(takes: readonly Take[], timeMs: number): Verdict {
    const nowMs = Math.floor(timeMs)
    let newcomers = 0
    let waitMs = 0
    for (const take of takes) {
      const entry = entries.get(take.key)
      if (entry === undefined) newcomers++
      else waitMs = Math.max(waitMs, waitForToken(take, debtOf(take, entry, nowMs)))
    }
    if (newcomers > 0) {
      forgetFullOnes(nowMs)
      if (entries.size + newcomers > maxBuckets) return refuseNewcomers(takes)
    }
    const debts = takes.map((take) => {
      const entry = entries.get(take.key)
      const debt = entry === undefined ? 0 : debtOf(take, entry, nowMs)
      if (waitMs > 0) return debt
      const fullAt = nowMs * take.refill + debt + tokenWorth(take)
      if (entry === undefined) entries.set(take.key, { fullAt, refill: take.refill })
      else entry.fullAt = fullAt
      return debt + tokenWorth(take)
    })
    return verdictOf(takes, debts, waitMs)
  }

  function waitSeconds(takes: readonly Take[], timeMs: number): number {
    const nowMs = Math.floor(timeMs)
    const waitsMs = takes.map((take) => {
      const entry = entries.get(take.key)
      return entry === undefined ? 0 : waitForToken(take, debtOf(take, entry, nowMs))
    })
    return Math.ceil(Math.max(0, ...waitsMs) / 1000)
  }

  return {
    take,
    waitSeconds,
    size: () => entries.size,
    close: async () => entries.clear(),
  }
}

/**
 * Returns the debt, at most that of an empty bucket. After the clock is set back, the debt would be larger;
 * the excess is dropped here, so that no caller is blocked for longer than one refill.
 */
function debtOf(take: Take, entry: Entry, nowMs: number): number {
  entry.fullAt = Math.min(entry.fullAt, nowMs * take.refill + take.burst * tokenWorth(take))
  return Math.max(0, entry.fullAt - nowMs * take.refill)
}

function refuseNewcomers(takes: readonly Take[]): Verdict {
  return { allowed: false, limit: takes[0]!.burst, remaining: 0, resetSeconds: 1, retryAfterSeconds: 1 }
}
