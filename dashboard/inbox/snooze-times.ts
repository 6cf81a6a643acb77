/** Computes the times that a chat can be snoozed until: opening times, if the workspace has business hours. */
import { dayAfter, instantOf, localOf, startOfDay } from '../kit/zone.ts'

type Range = { from: string; to: string }
export type OpenHours = {
  timeZone: string
  weekly: readonly (Range & { day: number })[]
  overrides: readonly { date: string; ranges: readonly Range[] }[]
}
/** `kind`: the title of the choice. `nextOpen`: the business is closed tomorrow. */
export type SnoozeTime = { kind: 'later' | 'tomorrow' | 'nextOpen' | 'nextWeek'; until: string }

const MINUTE_MS = 60_000
const STEP_MS = 15 * MINUTE_MS
const LATER_MS = 180 * MINUTE_MS
/** The start of a day without business hours. */
const MORNING = '09:00'
/** The number of days in which an opening is searched. */
const AHEAD_DAYS = 21

const minutesOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5))
/** Returns 1 for Monday to 7 for Sunday. */
const weekdayOf = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay() || 7

/** Returns the ranges that start on a day, earliest first. */
function rangesOn({ weekly, overrides }: OpenHours, day: string): Range[] {
  const ranges =
    overrides.find(({ date }) => date === day)?.ranges ??
    weekly.filter((range) => range.day === weekdayOf(day))
  return ranges.toSorted((a, b) => (a.from < b.from ? -1 : 1))
}

/** Returns the first opening on `day` or a later day. */
function firstOpening(hours: OpenHours, day: string): { day: string; until: string } | undefined {
  for (let by = 0; by < AHEAD_DAYS; by++) {
    const candidate = dayAfter(day, by)
    const [first] = rangesOn(hours, candidate)
    if (first)
      return {
        day: candidate,
        until: instantOf(hours.timeZone, { day: candidate, minute: minutesOf(first.from) }),
      }
  }
  return undefined
}

/** Returns when the business closes today; undefined if it is closed today. */
function closingOn(hours: OpenHours, day: string): number | undefined {
  const last = rangesOn(hours, day).at(-1)
  if (!last) return undefined
  const endsNextDay = last.to <= last.from
  return Date.parse(
    instantOf(hours.timeZone, {
      day: endsNextDay ? dayAfter(day, 1) : day,
      minute: minutesOf(last.to),
    }),
  )
}

const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7] as const

/**
 * Returns the times to offer, earliest first, each once. `now`: the workspace's time. `zone`: the reader's time
 * zone, which counts if no business hours are set.
 */
export function snoozeTimes(now: number, zone: string, hours: OpenHours | undefined): SnoozeTime[] {
  const isSet = hours !== undefined && hours.weekly.length > 0
  const used = isSet
    ? hours
    : {
        timeZone: zone,
        weekly: EVERY_DAY.map((day) => ({ day, from: MORNING, to: '24:00' })),
        overrides: [],
      }
  const today = localOf(used.timeZone, now).day
  const tomorrow = dayAfter(today, 1)
  const monday = dayAfter(today, 8 - weekdayOf(today))
  const later = Math.ceil((now + LATER_MS) / STEP_MS) * STEP_MS
  const closing = isSet ? closingOn(used, today) : Date.parse(startOfDay(used.timeZone, tomorrow))
  const next = firstOpening(used, tomorrow)
  const nextWeek = firstOpening(used, monday)
  const times: SnoozeTime[] = []
  if (closing !== undefined && later < closing)
    times.push({ kind: 'later', until: new Date(later).toISOString() })
  if (next) times.push({ kind: next.day === tomorrow ? 'tomorrow' : 'nextOpen', until: next.until })
  if (nextWeek && nextWeek.until !== next?.until) times.push({ kind: 'nextWeek', until: nextWeek.until })
  return times
}
