import type { Take, Verdict } from './port.ts'

/** Returns the worth of one token of a bucket, in units of debt. */
export const tokenWorth = (take: Take): number => take.perSeconds * 1000

/** Returns the milliseconds until a bucket with this debt has a whole token; 0 if it has one. */
export function waitForToken(take: Take, debt: number): number {
  return Math.max(0, debt - (take.burst - 1) * tokenWorth(take)) / take.refill
}

/**
 * Describes the bucket closest to empty, from the debts of all buckets after the check; `waitMs` is 0 for an
 * allowed check.
 */
export function verdictOf(takes: readonly Take[], debts: readonly number[], waitMs: number): Verdict {
  let closest = 0
  let closestTokens = Number.POSITIVE_INFINITY
  let resetSeconds = 0
  for (let i = 0; i < takes.length; i++) {
    const take = takes[i] as Take
    const debt = debts[i] as number
    const tokens = take.burst - debt / tokenWorth(take)
    const seconds = Math.ceil(debt / take.refill / 1000)
    if (tokens < closestTokens || (tokens === closestTokens && seconds > resetSeconds)) {
      closest = i
      closestTokens = tokens
      resetSeconds = seconds
    }
  }
  return {
    allowed: waitMs === 0,
    limit: (takes[closest] as Take).burst,
    remaining: Math.max(0, Math.floor(closestTokens)),
    resetSeconds,
    retryAfterSeconds: Math.ceil(waitMs / 1000),
  }
}
