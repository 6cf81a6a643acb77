/** When a business is open (docs/decisions/business-hours.md). */
import { z } from 'zod'
import { isTimeZone, minutesOf, startOfDay } from '../../core/calendar.ts'
import { Instant } from '../../core/text.ts'

const MAX_WEEKLY = 50
const MAX_OVERRIDES = 400
const MAX_RANGES = 10

type Range = { from: string; to: string }
const byStart = (one: Range, other: Range): number => (one.from < other.from ? -1 : 1)
const areApart = (ranges: readonly Range[]): boolean =>
  ranges.toSorted(byStart).every(({ from }, at, all) => at === 0 || all[at - 1]!.to <= from)

const TimeOfDay = z
  .string()
  .refine((text) => minutesOf(text) !== undefined, 'must be a time of day, such as 09:30')
  .meta({ example: '09:30' })
const range = { from: TimeOfDay, to: TimeOfDay }
/** What is no time at all is refused as that. */
const isInOrder = ({ from, to }: Range): boolean =>
  (minutesOf(from) ?? 0) < (minutesOf(to) ?? Number.POSITIVE_INFINITY)
const endsLater = {
  path: ['to'],
  message: 'must be after from; what goes on past midnight ends at 24:00 and begins again at 00:00',
}
const OVERLAP = 'must not overlap on one day'

const WeeklyRange = z
  .strictObject({
    day: z
      .int('must be a whole number')
      .min(1, 'must be at least 1')
      .max(7, 'must be at most 7')
      .meta({ description: '1 for Monday, 7 for Sunday.' }),
    ...range,
  })
  .refine(isInOrder, endsLater)

const Override = z.strictObject({
  date: z
    .string()
    .refine(
      (day) => day >= '2000-01-01' && day <= '2999-12-31' && startOfDay(day, 'UTC') !== undefined,
      'must be a day, such as 2026-12-25',
    )
    .meta({ example: '2026-12-25' }),
  ranges: z
    .array(z.strictObject(range).refine(isInOrder, endsLater))
    .max(MAX_RANGES, `must hold at most ${MAX_RANGES} ranges`)
    .refine(areApart, OVERLAP)
    .meta({ description: 'In the place of those of the week; none: closed.' }),
})

/** Body of `PUT /business-hours`. */
export const NewBusinessHours = z.strictObject({
  timeZone: z
    .string()
    .max(100)
    .refine(isTimeZone, 'must be a time zone, such as Asia/Kolkata')
    .meta({ example: 'Asia/Kolkata' }),
  weekly: z
    .array(WeeklyRange)
    .max(MAX_WEEKLY, `must hold at most ${MAX_WEEKLY} ranges`)
    .refine(
      (all) => [1, 2, 3, 4, 5, 6, 7].every((day) => areApart(all.filter((one) => one.day === day))),
      OVERLAP,
    )
    .transform((all) => all.toSorted((one, other) => one.day - other.day || byStart(one, other)))
    .meta({ description: 'A day that is not named is closed.' }),
  overrides: z
    .array(Override)
    .max(MAX_OVERRIDES, `must hold at most ${MAX_OVERRIDES} days`)
    .refine((all) => new Set(all.map(({ date }) => date)).size === all.length, 'must name each day once')
    .transform((all) =>
      all
        .map(({ date, ranges }) => ({ date, ranges: ranges.toSorted(byStart) }))
        .sort((one, other) => (one.date < other.date ? -1 : 1)),
    )
    .default([])
    .meta({ description: 'Days that differ: holidays, and days with other hours.' }),
})
export type NewBusinessHours = z.output<typeof NewBusinessHours>

const Shown = z.object({ from: z.string(), to: z.string() })
export const BusinessHours = z
  .object({
    timeZone: z.string(),
    weekly: z.array(Shown.extend({ day: z.int() })),
    overrides: z.array(z.object({ date: z.string(), ranges: z.array(Shown) })),
    updatedAt: Instant.nullable().meta({ description: 'Null: nobody has said when the business is open.' }),
  })
  .meta({ id: 'BusinessHours' })
