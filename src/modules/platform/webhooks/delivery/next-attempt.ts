import { later } from '../../../../core/clock.ts'
import type { Result } from './attempt.ts'
import { waitAfter } from './retry-schedule.ts'

/**
 * Returns when the next attempt is due, in real time; null if there is none. `url`: the endpoint's current
 * address, needed only after a 410.
 */
export function nextRunOf({ delivery, outcome, endedAt }: Result, url: string | undefined): Date | null {
  // Manual redeliveries, and deliveries without data, are not retried.
  if (outcome.ok || delivery.manual || delivery.data === null) return null
  // A 410 is final for the address that sent it; an endpoint that has moved since is tried at the new one.
  if (outcome.gone && outcome.request?.url === url) return null
  const waitMs = waitAfter(delivery.attempt)
  return waitMs === undefined ? null : later(endedAt, waitMs)
}
