/**
 * Counts refused callbacks of unknown senders by client address. The counts are per process, because they
 * protect the process's own resources.
 */
import type { FastifyRequest } from 'fastify'
import type { Clock } from '../../core/clock.ts'
import type { Refusal } from '../../core/errors.ts'
import { trustedAddress } from '../wire/trusted-address.ts'
import { rateLimited, senderOf } from './limits.ts'
import { createMemoryStore } from './memory-store.ts'
import { takesFor } from './takes.ts'

export type RefusedSenders = {
  /** Throws `rate_limited` for a sender who was refused too often recently. */
  check(request: FastifyRequest): void
  /** Counts a refused request; returns the refusal for a sender who was now refused too often. */
  count(request: FastifyRequest): Refusal | undefined
}

const MAX_ADDRESSES = 50_000

export function refusedSenders(clock: Clock, trustProxy: readonly string[]): RefusedSenders {
  const store = createMemoryStore({ maxBuckets: MAX_ADDRESSES })
  const takesOf = (request: FastifyRequest) =>
    takesFor('refused-callbacks', senderOf(trustedAddress(request.raw, trustProxy)))
  return {
    check(request) {
      const waitSeconds = store.waitSeconds(takesOf(request), clock.monotonicMs())
      if (waitSeconds > 0) throw rateLimited(waitSeconds)
    },
    count(request) {
      const { allowed, retryAfterSeconds } = store.take(takesOf(request), clock.monotonicMs())
      return allowed ? undefined : rateLimited(retryAfterSeconds)
    },
  }
}
