/** Converts between times and the clock of a time zone. */

import { firstDay } from './first-day.ts'
import { withYear } from './time.tsx'
import { instantAt, toZoneInput } from './zone-times.tsx'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
type Moment = string | number
/** `2026-06-01`, and the minutes since its midnight. */
type Local = { day: string; minute: number }

export function localOf(zone: string, time: Moment): Local {
  const text = toZoneInput(zone, time)
  return { day: text.slice(0, 10), minute: Number(text.slice(11, 13)) * 60 + Number(text.slice(14)) }
}

/**
 * Returns the time at which the clocks of a zone show `local`: the first of two; if the clocks skip it, later
 * by the skipped time.
 */
export const instantOf = (zone: string, { day, minute }: Local): string =>
  instantAt(zone, Date.parse(`${day}T00:00:00Z`) + minute * MINUTE_MS)

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
