/** Opening hours of a business or of booking staff: weekly hours, and days with other hours. */
import { daysAround, instantsIn } from './wall-clock.ts'

/** Times of day, the end up to 24:00. A range belongs to the day on which it starts. */
export type Range = { from: string; to: string }

/** Whether a range runs past midnight. */
export const endsNextDay = ({ from, to }: Range): boolean => to <= from

export type Hours = {
  timeZone: string
  weekly: (Range & { day: number })[]
  overrides: { date: string; ranges: Range[] }[]
}

/** Milliseconds since the epoch; the end is exclusive. */
export type Stretch = { from: number; to: number }

/** Returns the stretches in order, with adjacent and overlapping ones joined. */
function joinStretches(stretches: Stretch[]): Stretch[] {
  const result: Stretch[] = []
  for (const stretch of stretches) {
    if (stretch.from >= stretch.to) continue
    const last = result.at(-1)
    if (last && stretch.from <= last.to) last.to = Math.max(last.to, stretch.to)
    else result.push({ ...stretch })
  }
  return result
}

/** `ranges`: the configured ranges, in order; `stretches`: the same time, joined. */
export type OpenTimes = { ranges: Stretch[]; stretches: Stretch[] }

/**
 * Returns the opening hours that touch `from` to `to`. The day before `from` is read too, because its hours may run past
 * midnight. A day in `overrides` replaces only the ranges that start on it.
 */
export function openHours({ timeZone, weekly, overrides }: Hours, from: Date, to: Date): OpenTimes {
  const instants = instantsIn(timeZone)
  const overridesByDate = new Map(overrides.map(({ date, ranges }) => [date, ranges]))
  const byWeekday = Map.groupBy(weekly, ({ day }) => day)
  const ranges = daysAround(from, to, timeZone)
    .flatMap(({ date, weekday }) =>
      (overridesByDate.get(date) ?? byWeekday.get(weekday) ?? []).map((range) => ({
        from: instants.from(date, range.from),
        to: instants.to(date, range.to, endsNextDay(range)),
      })),
    )
    .sort((a, b) => a.from - b.from)
  return { ranges, stretches: joinStretches(ranges) }
}
