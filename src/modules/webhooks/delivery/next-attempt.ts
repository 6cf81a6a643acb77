import { later } from '../../../core/clock.ts'
import type { Result } from './attempt.ts'
import { waitAfter } from './retry-schedule.ts'

/**
 * When the next attempt after this one falls due, in real time; null: there is none. `url` is the endpoint's address now;
 * it need be known of an attempt that was answered 410 only.
 */
export function nextRunOf({ delivery, outcome, endedAt }: Result, url: string | undefined): Date | null {
  // Sent by hand, or nothing left to send: not retried.
  if (outcome.ok || delivery.manual || delivery.data === null) return null
  // A 410 is the last word of the address that it came from; an endpoint that has moved since is tried there.
  if (outcome.gone && outcome.request?.url === url) return null
  const waitMs = waitAfter(delivery.attempt)
  return waitMs === undefined ? null : later(endedAt, waitMs)
}
