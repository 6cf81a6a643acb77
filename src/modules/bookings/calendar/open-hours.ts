/** When somebody can be booked: the hours of the week, days that differ, and time off. */
import { daysAround, instantsIn } from './wall-clock.ts'

export type Hours = {
  timeZone: string
  weekly: { day: number; from: string; to: string }[]
  overrides: { date: string; ranges: { from: string; to: string }[] }[]
}

/** Milliseconds of the epoch; the end is not part of it. */
export type Stretch = { from: number; to: number }

/** Stretches in order, those that touch made one. */
function joined(ranges: Stretch[]): Stretch[] {
  const all: Stretch[] = []
  for (const one of ranges) {
    if (one.from >= one.to) continue
    const last = all.at(-1)
    if (last && one.from <= last.to) last.to = Math.max(last.to, one.to)
    else all.push({ ...one })
  }
  return all
}

/** `ranges` as they are said, in order; `stretches`: what they make together. */
export type OpenTimes = { ranges: Stretch[]; stretches: Stretch[] }

/** When somebody works, on every day that `from` to `to` touches. */
export function openHours({ timeZone, weekly, overrides }: Hours, from: Date, to: Date): OpenTimes {
  const instants = instantsIn(timeZone)
  const differing = new Map(overrides.map(({ date, ranges }) => [date, ranges]))
  const byWeekday = Map.groupBy(weekly, ({ day }) => day)
  const ranges = daysAround(from, to, timeZone)
    .flatMap(({ date, weekday }) =>
      (differing.get(date) ?? byWeekday.get(weekday) ?? []).map((range) => ({
        from: instants.from(date, range.from),
        to: instants.to(date, range.to),
      })),
    )
    .sort((a, b) => a.from - b.from)
  return { ranges, stretches: joined(ranges) }
}
