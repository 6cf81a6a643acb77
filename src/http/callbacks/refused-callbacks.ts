/**
 * Callers of callbacks that were refused, by their address. A far side's own addresses are shared by all its customers: one
 * that was refused too often is kept from asking for workspaces that nobody here knows, never from those that are connected.
 */
import type { FastifyRequest } from 'fastify'
import type { Clock } from '../../core/clock.ts'
import { Refusal } from '../../core/errors.ts'
import { rateLimited, senderOf } from '../limits.ts'
import { createMemoryStore } from '../rate-limit/memory-store.ts'
import { takesFor } from '../rate-limit/takes.ts'
import { trustedAddress } from '../trusted-address.ts'

export type RefusedCallbacks = {
  /** Refuses (`rate_limited`) a caller whose address has been refused too often lately. */
  check(request: FastifyRequest): void
  /** The refusal of a caller, which counts: `forbidden`, or `rate_limited` once there were too many. */
  refusal(request: FastifyRequest): Refusal
}

const MAX_ADDRESSES = 50_000

/** Counts refusals in this process: what they protect is its own. */
export function refusedCallbacks(clock: Clock, trustProxy: readonly string[]): RefusedCallbacks {
  const store = createMemoryStore({ maxBuckets: MAX_ADDRESSES })
  const takesOf = (request: FastifyRequest) =>
    takesFor('refused-callbacks', senderOf(trustedAddress(request.raw, trustProxy)))
  return {
    check(request) {
      const waitSeconds = store.waitSeconds(takesOf(request), clock.monotonicMs())
      if (waitSeconds > 0) throw rateLimited(waitSeconds)
    },
    refusal(request) {
      const { allowed, retryAfterSeconds } = store.take(takesOf(request), clock.monotonicMs())
      return allowed
        ? new Refusal(
            'forbidden',
            'The signature or token is wrong. Check the app secret and the verify token.',
          )
        : rateLimited(retryAfterSeconds)
    },
  }
}
