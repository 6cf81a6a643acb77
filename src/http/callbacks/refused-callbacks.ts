/**
 * Counts refused callbacks by client address. All customers of a network share its addresses, so an address
 * with too many refusals can't ask for unknown workspaces, but always reaches connected ones.
 */
import type { FastifyRequest } from 'fastify'
import type { Clock } from '../../core/clock.ts'
import { Refusal } from '../../core/errors.ts'
import { refusedSenders } from '../rate-limit/refused-senders.ts'

export type RefusedCallbacks = {
  /** Throws `rate_limited` for an address that was refused too often recently. */
  check(request: FastifyRequest): void
  /** Counts a refusal and returns it: `forbidden`, or `rate_limited` after too many. */
  refusal(request: FastifyRequest): Refusal
}

export function refusedCallbacks(clock: Clock, trustProxy: readonly string[]): RefusedCallbacks {
  const { check, count } = refusedSenders(clock, trustProxy)
  return {
    check,
    refusal: (request) =>
      count(request) ??
      new Refusal(
        'forbidden',
        'The signature or the token is wrong. Check the app secret and the verify token.',
      ),
  }
}
