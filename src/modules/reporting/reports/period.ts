/** The period of a report: whole days in the workspace's time zone, and the local time of moments in it. */
import { z } from 'zod'
import { DAY_MS, HOUR_MS, later, MINUTE_MS, realTime } from '../../../core/clock.ts'
import type { Context } from '../../../core/context.ts'
import { invalid } from '../../../core/errors.ts'
import { Id, idAt } from '../../../core/ids.ts'
import { dayOf, daysBefore, endOfDay, startOfDay } from '../../../core/values/calendar.ts'

/** The most days of one report. */
export const MAX_DAYS = 366
const DEFAULT_DAYS = 30

export const Day = z.iso.date('Must be a date, such as 2026-06-01.').meta({ example: '2026-06-01' })

export const ReportQuery = z.object({
  from: Day.optional().meta({
    description: `First day, in the workspace's time zone. Default: ${DEFAULT_DAYS - 1} days before \`to\`.`,
  }),
  to: Day.optional().meta({
    description: `Last day, included; at most ${MAX_DAYS} days in all. Default: today.`,
  }),
})
export type ReportQuery = z.output<typeof ReportQuery>

export const CampaignReportQuery = ReportQuery.extend({
  templateId: Id.optional().meta({
    description:
      'Only campaigns that sent only this template. Campaigns that compare templates are left out.',
  }),
})

/** Fields of every report, with their descriptions. */
export const PERIOD = {
  from: Day.meta({ description: 'First day of the report.' }),
  to: Day.meta({ description: 'Last day of the report, included.' }),
  timezone: z.string().meta({ description: "The workspace's time zone, which defines the days." }),
}

export type Period = {
  from: string
  to: string
  /** Every day, oldest first. */
  dates: string[]
  start: Date
  /** Exclusive. */
  end: Date
}

/** Returns the period of a query. Refuses `invalid` for more than 366 days, and for an end before the start. */
export function periodOf({ now, workspace }: Pick<Context, 'now' | 'workspace'>, query: ReportQuery): Period {
  const { timezone } = workspace
  const to = query.to ?? dayOf(now, timezone)
  const from = query.from ?? daysBefore(to, DEFAULT_DAYS - 1)
  if (from > to) throw invalid([{ path: 'to', message: 'Must not be before `from`.' }])
  const count = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1
  if (count > MAX_DAYS)
    throw invalid([{ path: 'from', message: `Must be at most ${MAX_DAYS} days before \`to\`.` }])
  const dates = Array.from({ length: count }, (_, i) => daysBefore(to, count - 1 - i))
  return {
    from,
    to,
    dates,
    start: startOfDay(from, timezone)!,
    end: endOfDay(to, timezone)!,
  }
}

/** Returns the period of the same length that ends on the day before. */
export function periodBefore(ctx: Pick<Context, 'now' | 'workspace'>, { from, dates }: Period): Period {
  const to = daysBefore(from, 1)
  return periodOf(ctx, { from: daysBefore(to, dates.length - 1), to })
}

/**
 * Returns bounds for the ids of rows that were written from `start` to `end`. Ids contain real time. A sandbox's clock only
 * moves ahead, so no id of the period is earlier than the first bound, or later than the last.
 */
export const idBounds = ({ workspace }: Pick<Context, 'workspace'>, start: Date, end: Date) => ({
  firstId: idAt(realTime(start, workspace)),
  // A row's id can be made a moment after the row's time was read.
  endId: idAt(later(end, HOUR_MS)),
})

/** `weekday`: 1 is Monday. */
export type LocalTime = { date: string; weekday: number; hour: number }

/**
 * Returns a function that converts moments from `start` to `end` to local times. Between two changes of the clocks the
 * distance to UTC is constant, so that each moment needs only arithmetic.
 */
export function localTimes(start: Date, end: Date, timeZone: string): (epochMs: number) => LocalTime {
  const changes: { since: number; offsetMs: number }[] = []
  let next: Temporal.ZonedDateTime | null = Temporal.Instant.fromEpochMilliseconds(
    start.getTime(),
  ).toZonedDateTimeISO(timeZone)
  while (next && next.epochMilliseconds < end.getTime()) {
    changes.push({ since: next.epochMilliseconds, offsetMs: next.offsetNanoseconds / 1e6 })
    next = next.getTimeZoneTransition('next')
  }
  return (epochMs) => {
    const change = changes.findLast(({ since }) => since <= epochMs) ?? changes[0]!
    const local = new Date(epochMs + change.offsetMs)
    return {
      date: local.toISOString().slice(0, 10),
      weekday: local.getUTCDay() || 7,
      hour: local.getUTCHours(),
    }
  }
}

/** The length of the stretches in which rows are counted. In every zone, hours start on a quarter of an hour. */
export const QUARTER_SECONDS = (15 * MINUTE_MS) / 1_000
