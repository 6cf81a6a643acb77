// A check takes one token from each of several buckets, all or nothing.
//
// A bucket is one integer, its "debt": the time until it is full. A request adds one token's worth; time
// reduces it. In units of 1/refill milliseconds, a token is worth exactly perSeconds * 1000, so all sums are
// exact integers and both stores agree.

/**
 * One bucket of a check. `key` identifies the bucket in the store; the keys of a check share a `{tag}`, so
 * that one node of a cluster has them all. `burst`, `refill`, and `perSeconds` are whole numbers >= 1.
 */
export type Take = { key: string; burst: number; refill: number; perSeconds: number }

/**
 * The result of a check, for the bucket closest to empty (spec 8.1, rule 2): `limit` is its burst size,
 * `remaining` its whole requests left, `resetSeconds` the time until it is full. `retryAfterSeconds` is 0 if
 * allowed, else the whole seconds >= 1 until every bucket has a token.
 */
export type Verdict = {
  allowed: boolean
  limit: number
  remaining: number
  resetSeconds: number
  retryAfterSeconds: number
}

/** Stores buckets. `take` throws (or rejects with) `LimiterUnavailable` if the store can't be reached. */
export type RateLimitStore = {
  /**
   * Takes one token from each bucket (at least one bucket), or none. `nowMs` is the caller's monotonic clock,
   * so changes of the wall clock have no effect. `exact`: asks the store even if this process remembers
   * enough to answer.
   */
  take(takes: readonly Take[], nowMs: number, exact?: boolean): Verdict | Promise<Verdict>
  close(): Promise<void>
}

/**
 * The store didn't answer in time. Spec 7.1 lists the calls that continue without it and those that answer
 * 503.
 */
export class LimiterUnavailable extends Error {
  override name = 'LimiterUnavailable'
}
