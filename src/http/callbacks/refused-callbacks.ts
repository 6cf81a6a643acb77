/**
 * Callers of callbacks that were refused, by their address. A far side's own addresses are shared by all its customers: one
 * that was refused too often is kept from asking for workspaces that nobody here knows, never from those that are connected.
 */
import type { FastifyRequest } from 'fastify'
import type { Clock } from '../../core/clock.ts'
import { Refusal } from '../../core/errors.ts'
import { refusedSenders } from '../refused-senders.ts'

export type RefusedCallbacks = {
  /** Refuses (`rate_limited`) a caller whose address has been refused too often lately. */
  check(request: FastifyRequest): void
  /** The refusal of a caller, which counts: `forbidden`, or `rate_limited` once there were too many. */
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
