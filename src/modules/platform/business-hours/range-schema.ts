/** Ranges of hours, for businesses and for booking staff (DECISIONS.md). */
import { z } from 'zod'
import { DAY_MINUTES, minutesOf, startOfDay } from '../../../core/values/calendar.ts'
import { endsNextDay, type Range } from '../../../core/values/open-hours.ts'

const WEEK_MINUTES = 7 * DAY_MINUTES
const MAX_RANGES = 10

const isTime = (text: string): boolean => minutesOf(text) !== undefined
const CLOCK_FORM = 'Must be a time of day, such as 09:30.'
const range = {
  from: z
    .string()
    .refine(isTime, CLOCK_FORM)
    .refine((text) => text !== '24:00', 'Must be before 24:00. Only `to` can be 24:00.')
    .meta({ example: '09:30' }),
  to: z.string().refine(isTime, CLOCK_FORM).meta({
    description: 'When the range ends, up to 24:00. An end before `from` is on the next day.',
    example: '18:00',
  }),
}
const isNotEmpty = ({ from, to }: Range): boolean => from !== to
const emptyRangeIssue = {
  path: ['to'],
  message: 'Must not equal `from`. For a whole day, use 00:00 to 24:00.',
}

export const WeeklyRange = z
  .strictObject({
    day: z
      .int('Must be a whole number from 1 to 7.')
      .min(1, 'Must be a whole number from 1 to 7.')
      .max(7, 'Must be a whole number from 1 to 7.')
      .meta({ description: 'Day on which the range starts: 1 for Monday to 7 for Sunday.', example: 1 }),
    ...range,
  })
  .refine(isNotEmpty, emptyRangeIssue)
type WeeklyRange = z.output<typeof WeeklyRange>

export const DayRanges = z
  .array(z.strictObject(range).refine(isNotEmpty, emptyRangeIssue))
  .max(MAX_RANGES, `Must have at most ${MAX_RANGES} ranges.`)

export const DayOfYear = z
  .string()
  .refine(
    (day) => day >= '2000-01-01' && day <= '2999-12-31' && startOfDay(day, 'UTC') !== undefined,
    'Must be a day, such as 2026-12-25.',
  )
  .meta({ example: '2026-12-25' })

export const OVERLAP = 'Must not overlap. A range that ends past midnight continues on the next day.'

type Minutes = { from: number; to: number }
const inMinutes = ({ from, to }: Range, day = 1): Minutes => {
  const start = (day - 1) * DAY_MINUTES
  const end = (minutesOf(to) ?? Number.NaN) + (endsNextDay({ from, to }) ? DAY_MINUTES : 0)
  return { from: start + (minutesOf(from) ?? Number.NaN), to: start + end }
}

/**
 * Returns whether each range of a sorted list ends before the next starts. An invalid time (NaN) overlaps
 * with nothing: it has its own issue.
 */
const areSequential = (ranges: Minutes[]): boolean =>
  !ranges.some(({ from }, index) => index > 0 && ranges[index - 1]!.to > from)
const byStart = (a: Minutes, b: Minutes): number => a.from - b.from

/** Returns whether the ranges of one day do not overlap. */
export const areDisjoint = (ranges: readonly Range[]): boolean =>
  areSequential(ranges.map((range) => inMinutes(range)).sort(byStart))

/** Returns whether the ranges of a week do not overlap. Sunday night continues into Monday. */
export function isWeekDisjoint(weekly: readonly WeeklyRange[]): boolean {
  const ranges = weekly.map((range) => inMinutes(range, range.day)).sort(byStart)
  const [first] = ranges
  if (!first) return true
  const nextMonday = { from: first.from + WEEK_MINUTES, to: first.to + WEEK_MINUTES }
  return areSequential([...ranges, nextMonday])
}
