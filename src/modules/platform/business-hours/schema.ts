/** Schemas of business hours (DECISIONS.md). */
import { z } from 'zod'
import { isTimeZone } from '../../../core/values/calendar.ts'
import type { Range } from '../../../core/values/open-hours.ts'
import { Instant } from '../../../core/values/text.ts'
import { areDisjoint, DayOfYear, DayRanges, isWeekDisjoint, OVERLAP, WeeklyRange } from './range-schema.ts'

const MAX_WEEKLY = 50
const MAX_OVERRIDES = 400

const byStart = (a: Range, b: Range): number => (a.from < b.from ? -1 : 1)

const Override = z.strictObject({
  date: DayOfYear,
  ranges: DayRanges.refine(areDisjoint, OVERLAP).meta({
    description: 'Ranges that replace those of the week on this day. Empty: closed.',
  }),
})

const HOURS_FIELDS = {
  'weekly.from': 'When the range starts, such as `09:30`.',
  'weekly.to': 'When the range ends, such as `18:00`.',
  'overrides.ranges.from': 'When the range starts, such as `09:30`.',
  'overrides.ranges.to': 'When the range ends, such as `18:00`.',
}

/** Body of `PUT /business-hours`. */
export const NewBusinessHours = z
  .strictObject({
    timeZone: z
      .string()
      .max(100)
      .refine(isTimeZone, 'Must be a time zone, such as Asia/Kolkata.')
      .meta({ example: 'Asia/Kolkata' }),
    weekly: z
      .array(WeeklyRange)
      .max(MAX_WEEKLY, `Must have at most ${MAX_WEEKLY} ranges.`)
      .refine(isWeekDisjoint, OVERLAP)
      .transform((ranges) => ranges.toSorted((a, b) => a.day - b.day || byStart(a, b)))
      .meta({ description: 'Hours of the week. Days without an entry are closed.' }),
    overrides: z
      .array(Override)
      .max(MAX_OVERRIDES, `Must have at most ${MAX_OVERRIDES} days.`)
      .refine(
        (overrides) => new Set(overrides.map(({ date }) => date)).size === overrides.length,
        'Must have each day once.',
      )
      .transform((overrides) =>
        overrides
          .map(({ date, ranges }) => ({ date, ranges: ranges.toSorted(byStart) }))
          .sort((a, b) => (a.date < b.date ? -1 : 1)),
      )
      .default([])
      .meta({ description: 'Special days: holidays, and days with other hours.' }),
  })
  .meta({ fields: HOURS_FIELDS })
export type NewBusinessHours = z.output<typeof NewBusinessHours>

const ShownRange = z.object({ from: z.string(), to: z.string() })
export const BusinessHours = z
  .object({
    timeZone: z.string(),
    weekly: z.array(ShownRange.extend({ day: z.int() })),
    overrides: z.array(z.object({ date: z.string(), ranges: z.array(ShownRange) })),
    updatedAt: Instant.nullable().meta({
      description: 'When the hours were last changed, in UTC; null if no hours are set.',
    }),
  })
  .meta({ id: 'BusinessHours', description: 'When the business is open.', fields: HOURS_FIELDS })
