/** Converts between times and the clock of a time zone. */

import { formatLocale } from '../texts.ts'
import { firstDay } from './first-day.ts'
import { withYear } from './time.tsx'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
type Moment = string | number
/** `2026-06-01`, and the minutes since its midnight. */
type Local = { day: string; minute: number }

const readers = new Map<string, Intl.DateTimeFormat>()
function readerOf(zone: string): Intl.DateTimeFormat {
  const cached = readers.get(zone)
  if (cached) return cached
  const reader = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  })
  readers.set(zone, reader)
  return reader
}

export function localOf(zone: string, time: Moment): Local {
  const parts = Object.fromEntries(
    readerOf(zone)
      .formatToParts(new Date(time))
      .map(({ type, value }) => [type, value]),
  )
  return {
    day: `${parts.year}-${parts.month}-${parts.day}`,
    minute: Number(parts.hour) * 60 + Number(parts.minute),
  }
}

const asUtc = ({ day, minute }: Local): number => Date.parse(`${day}T00:00:00Z`) + minute * MINUTE_MS
/** Returns how far the clocks of a zone are ahead of UTC. */
const aheadOf = (zone: string, time: number): number =>
  asUtc(localOf(zone, time)) - Math.floor(time / MINUTE_MS) * MINUTE_MS

/**
 * Returns the time at which the clocks of a zone show `local`: the first of two; if the clocks skip it, later
 * by the skipped time.
 */
export function instantOf(zone: string, local: Local): string {
  const wall = asUtc(local)
  const [first, second] = [-DAY_MS, DAY_MS].map((by) => wall - aheadOf(zone, wall + by)) as [number, number]
  const isShownAt = (time: number) => asUtc(localOf(zone, time)) === wall
  return new Date(isShownAt(first) || !isShownAt(second) ? first : second).toISOString()
}

export const startOfDay = (zone: string, day: string): string => instantOf(zone, { day, minute: 0 })
export const dayAfter = (day: string, by: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + by * DAY_MS).toISOString().slice(0, 10)
/** Returns the later of two days. */
export const lastDay = (a: string, b: string): string => [a, b].toSorted()[1] as string
export const isDay = (text: string | undefined): text is string =>
  /^\d{4}-\d\d-\d\d$/.test(text ?? '') && !Number.isNaN(Date.parse(`${text}T00:00:00Z`))

/** Returns the seven days of the week that contains a day. */
export function weekOf(day: string): string[] {
  const offset = (new Date(`${day}T00:00:00Z`).getUTCDay() - firstDay + 7) % 7
  return Array.from({ length: 7 }, (_, index) => dayAfter(day, index - offset))
}

const clocks = new Map<string, Intl.DateTimeFormat>()
/** Formats the time of day in a zone, in the reader's locale. */
export function formatClockIn(zone: string, time: Moment): string {
  const cached = clocks.get(zone)
  const clock =
    cached ?? new Intl.DateTimeFormat(formatLocale, { hour: 'numeric', minute: '2-digit', timeZone: zone })
  if (!cached) clocks.set(zone, clock)
  return clock.format(new Date(time))
}

const longDay = withYear({
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  timeZone: 'UTC',
})
const shortDay = withYear({
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
})
export const formatLongDay = (day: string): string => longDay(Date.parse(`${day}T00:00:00Z`))
export const formatShortDay = (day: string): string => shortDay(Date.parse(`${day}T00:00:00Z`))

const twoDigits = (value: number): string => String(value).padStart(2, '0')
/** Returns a time as the value of a `datetime-local` input, in a zone. */
export function toZoneInput(zone: string, time: string): string {
  const { day, minute } = localOf(zone, time)
  return `${day}T${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}`
}

/** Returns the time of a `datetime-local` input; undefined if empty. */
export function fromZoneInput(zone: string, text: string): string | undefined {
  const [, day, hours, minutes] = /^(\d{4}-\d\d-\d\d)T(\d\d):(\d\d)/.exec(text) ?? []
  return day ? instantOf(zone, { day, minute: Number(hours) * 60 + Number(minutes) }) : undefined
}
