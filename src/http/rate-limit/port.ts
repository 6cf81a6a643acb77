// A check asks for one token from each of several buckets, all or nothing.
//
// A bucket is one integer, its "debt": how long the bucket needs until it is full again. A request adds one
// token's worth; passing time pays it off. With time counted in 1/refill milliseconds one token is worth
// exactly perSeconds * 1000 units, so every sum is an exact integer and both stores agree to the token.

/**
 * One bucket of a check. `key` identifies the bucket in the store; keys of one check share a `{tag}`, so that
 * they live on one node of a cluster. `burst`, `refill` and `perSeconds` are whole numbers >= 1.
 */
export type Take = { key: string; burst: number; refill: number; perSeconds: number }

/**
 * The outcome, describing the bucket closest to empty (spec 8.1, rule 2). `limit` is its burst size, `remaining`
 * the whole requests left, `resetSeconds` the time until it is full. `retryAfterSeconds` is 0 when allowed, else
 * the whole seconds >= 1 until every bucket has a token.
 */
export type Verdict = {
  allowed: boolean
  limit: number
  remaining: number
  resetSeconds: number
  retryAfterSeconds: number
}

/** Where buckets live. `take` throws (or rejects with) `LimiterUnavailable` when the store cannot be asked. */
export type RateLimitStore = {
  /**
   * Takes one token from each bucket (there is at least one), or from none. `nowMs` is of the caller's monotonic clock: setting
   * the wall clock changes nothing. `exact`: the store itself is asked, also where this process remembers enough to answer.
   */
  take(takes: readonly Take[], nowMs: number, exact?: boolean): Verdict | Promise<Verdict>
  close(): Promise<void>
}

/** The store gave no answer in time. Spec 7.1 says which calls go on without it and which answer 503. */
export class LimiterUnavailable extends Error {
  override name = 'LimiterUnavailable'
}
