import { DAY_MS, HOUR_MS, later, MINUTE_MS } from '../clock.ts'

// In every time zone since 1972, days start on a quarter of an hour.
const QUARTER_MS = 15 * MINUTE_MS
const QUARTERS_SINCE_MS = Date.UTC(1973, 0)

type ZoneDays = { formatter: Intl.DateTimeFormat; quarter: number; day: string }
const zones = new Map<string, ZoneDays>()

/**
 * Returns the calendar day (2026-06-01) of a moment in a time zone. The last result of each zone is cached because Intl is
 * slow.
 */
export function dayOf(time: Date, timezone: string): string {
  let zone = zones.get(timezone)
  if (zone === undefined) {
    const formatter = new Intl.DateTimeFormat('en-CA', {
      timeZone: timezone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    })
    zone = { formatter, quarter: Number.NaN, day: '' }
    zones.set(timezone, zone)
  }
  const quarter = time.getTime() < QUARTERS_SINCE_MS ? Number.NaN : Math.floor(time.getTime() / QUARTER_MS)
  if (zone.quarter !== quarter) {
    zone.day = zone.formatter.format(time)
    zone.quarter = quarter
  }
  return zone.day
}

/**
 * Returns the first moment of the next calendar day in a time zone, exact to the millisecond even when the clocks change there.
 */
export function nextMidnight(time: Date, timezone: string): Date {
  const today = dayOf(time, timezone)
  return firstMoment(time, later(time, DAY_MS + 2 * HOUR_MS), (moment) => dayOf(moment, timezone) > today)
}

/** Returns the first moment of the calendar day of `time` in a time zone. */
export function lastMidnight(time: Date, timezone: string): Date {
  const today = dayOf(time, timezone)
  return firstMoment(later(time, -DAY_MS - 2 * HOUR_MS), time, (moment) => dayOf(moment, timezone) >= today)
}

// The day never decreases over time, so a binary search finds the border.
function firstMoment(before: Date, from: Date, isReached: (moment: Date) => boolean): Date {
  let [low, high] = [before.getTime(), from.getTime()]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (isReached(new Date(middle))) high = middle
    else low = middle
  }
  return new Date(high)
}

export const DAY_MINUTES = 24 * 60

/** Returns the minutes since midnight of `09:30`, up to `24:00`; undefined for any other text. */
export function minutesOf(time: string): number | undefined {
  const [, hours, minutes] = /^(\d\d):([0-5]\d)$/.exec(time) ?? []
  const total = Number(hours) * 60 + Number(minutes)
  return total <= DAY_MINUTES ? total : undefined
}

/** Whether `zone` is a usable time zone: a name of the IANA list, or an offset such as +05:30. */
export function isTimeZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** Returns a time zone for `at time zone`: PostgreSQL counts offsets from the other side of UTC, as POSIX does. */
export const zoneInSql = (zone: string): string => zone.replace(/^[+-]/, (sign) => (sign === '+' ? '-' : '+'))

const DAY_PATTERN = /^(\d{4})-(\d{2})-(\d{2})$/

/** Returns the first moment of a calendar day (2026-06-01) in a time zone; undefined for a day that does not exist. */
export function startOfDay(day: string, timezone: string): Date | undefined {
  if (!DAY_PATTERN.test(day)) return undefined
  const inUtc = new Date(`${day}T00:00:00Z`)
  if (Number.isNaN(inUtc.getTime()) || inUtc.toISOString().slice(0, 10) !== day) return undefined
  return firstMoment(
    later(inUtc, -15 * HOUR_MS),
    later(inUtc, 13 * HOUR_MS),
    (moment) => dayOf(moment, timezone) >= day,
  )
}

/** Returns the calendar day that is `days` before `day`. */
export const daysBefore = (day: string, days: number): string =>
  later(new Date(`${day}T00:00:00Z`), -days * DAY_MS)
    .toISOString()
    .slice(0, 10)

/** Returns the moment at which a day ends in a time zone. Some days don't have 24 hours, so it is the next day's own midnight. */
export const endOfDay = (day: string, timezone: string): Date | undefined =>
  startOfDay(daysBefore(day, -1), timezone)

/** Returns the month of `time` in a time zone, as `2026-06`. Monthly allowances are counted by it. */
export const monthOf = (time: Date, timezone: string): string =>
  dayOf(time, timezone).slice(0, '2026-06'.length)
