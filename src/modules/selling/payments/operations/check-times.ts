/** The times of our own checks at the gateway for requests without a report (DECISIONS.md). */
import { DAY_MS, HOUR_MS, later, MINUTE_MS } from '../../../../core/clock.ts'

/** Counted from the creation of the request. */
const AFTER_CREATION_MS = [2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS]
/** Then once a day, for as long as a gateway's link lives. */
const DAILY_FOR_DAYS = 180
/** Around the expiry: a minute before, and twice after, for payments under way. */
const ABOUT_EXPIRY_MS = [-MINUTE_MS, 5 * MINUTE_MS, HOUR_MS]

/** Returns the next check after `now`; undefined after the last. */
export function nextCheckAt(
  { createdAt, expiresAt }: { createdAt: Date; expiresAt: Date | null },
  now: Date,
): Date | undefined {
  const ageMs = now.getTime() - createdAt.getTime()
  const days = Math.floor(ageMs / DAY_MS) + 1
  const last = expiresAt ?? later(createdAt, DAILY_FOR_DAYS * DAY_MS)
  const times = [
    ...AFTER_CREATION_MS.map((ms) => later(createdAt, ms)),
    later(createdAt, days * DAY_MS),
  ].filter((time) => time < last)
  const aroundExpiry = expiresAt === null ? [] : ABOUT_EXPIRY_MS.map((ms) => later(expiresAt, ms))
  return [...times, ...aroundExpiry]
    .filter((time) => time > now)
    .reduce<Date | undefined>((first, time) => (first && first <= time ? first : time), undefined)
}

/** Returns the next check after a failed one, for as long as a gateway's link lives. */
export function nextCheckAfterFault(
  times: { createdAt: Date; expiresAt: Date | null },
  now: Date,
): Date | undefined {
  const tomorrow = later(now, DAY_MS)
  return (
    nextCheckAt(times, now) ??
    (tomorrow < later(times.createdAt, DAILY_FOR_DAYS * DAY_MS) ? tomorrow : undefined)
  )
}
