import type { RateLimitStore, Take, Verdict } from './port.ts'
import { sweepOver } from './sweep.ts'
import { tokenWorth, verdictOf, waitForToken } from './verdict.ts'

type Entry = { fullAt: number; refill: number }

/** The synchronous store of one process. */
export type MemoryStore = Omit<RateLimitStore, 'take'> & {
  take(takes: readonly Take[], nowMs: number): Verdict
  /** Whole seconds until each bucket has a token; 0 when a check would be allowed. Nothing is taken. */
  waitSeconds(takes: readonly Take[], nowMs: number): number
  /** How many buckets are held. */
  size(): number
}

/**
 * Makes an in-process store. It holds at most `maxBuckets`; when all of them are in use, a request that would need
 * a new one is refused for a second rather than another's spent bucket forgotten.
 */
export function createMemoryStore({ maxBuckets = 500_000 } = {}): MemoryStore {
  const entries = new Map<string, Entry>()
  // A full bucket and an unknown one are the same thing, so only full ones may be forgotten.
  const forgetFullOnes = sweepOver(entries, ({ fullAt, refill }, nowMs) => fullAt <= nowMs * refill)

  function take(takes: readonly Take[], givenMs: number): Verdict {
    const nowMs = Math.floor(givenMs)
    let newcomers = 0
    let waitMs = 0
    for (const wanted of takes) {
      const entry = entries.get(wanted.key)
      if (entry === undefined) newcomers++
      else waitMs = Math.max(waitMs, waitForToken(wanted, debtOf(wanted, entry, nowMs)))
    }
    if (newcomers > 0) {
      forgetFullOnes(nowMs)
      if (entries.size + newcomers > maxBuckets) return turnedAway(takes)
    }
    const debts = takes.map((wanted) => {
      const entry = entries.get(wanted.key)
      const debt = entry === undefined ? 0 : debtOf(wanted, entry, nowMs)
      if (waitMs > 0) return debt
      const fullAt = nowMs * wanted.refill + debt + tokenWorth(wanted)
      if (entry === undefined) entries.set(wanted.key, { fullAt, refill: wanted.refill })
      else entry.fullAt = fullAt
      return debt + tokenWorth(wanted)
    })
    return verdictOf(takes, debts, waitMs)
  }

  function waitSeconds(takes: readonly Take[], givenMs: number): number {
    const nowMs = Math.floor(givenMs)
    const waitsMs = takes.map((wanted) => {
      const entry = entries.get(wanted.key)
      return entry === undefined ? 0 : waitForToken(wanted, debtOf(wanted, entry, nowMs))
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
 * Never more than an empty bucket's worth: a clock that was set back leaves more, which is written off here, so that the
 * bucket refills from now on and nobody is locked out for longer than a refill.
 */
function debtOf(take: Take, entry: Entry, nowMs: number): number {
  entry.fullAt = Math.min(entry.fullAt, nowMs * take.refill + take.burst * tokenWorth(take))
  return Math.max(0, entry.fullAt - nowMs * take.refill)
}

function turnedAway(takes: readonly Take[]): Verdict {
  return { allowed: false, limit: takes[0]!.burst, remaining: 0, resetSeconds: 1, retryAfterSeconds: 1 }
}
