import type { RateLimitStore } from '../../src/http/rate-limit/port.ts'

/**
 * Replaces the in-process rate limiter where its cost or limits would distort the result: admits everything.
 */
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
