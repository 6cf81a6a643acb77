import type { RateLimitStore } from '../../src/http/rate-limit/port.ts'

/** Stands in for the in-process rate limiter where its own cost, or its limits, would be in the way: admits everything. */
export const createMemoryStore = (): RateLimitStore => ({
  take: ([first]) => ({
    allowed: true,
    limit: first!.burst,
    remaining: first!.burst,
    resetSeconds: 0,
    retryAfterSeconds: 0,
  }),
  close: async () => {},
})
