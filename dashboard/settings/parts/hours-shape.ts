/**
 * Converts business hours between the form and the API: time fields have no 24:00, so there a day ends at
 * 00:00.
 */
import type { Api } from '../../../sdk/api.ts'

export type Hours = Api['PUT /business-hours']['body']
export type Range = { from: string; to: string }
export type Holiday = { date: string; ranges: Range[] }
export type HoursForm = { timeZone: string; week: Range[][]; holidays: Holiday[] }

export const DAYS = [1, 2, 3, 4, 5, 6, 7] as const

const toShown = ({ from, to }: Range): Range => ({ from, to: to === '24:00' ? '00:00' : to })
const toStored = ({ from, to }: Range): Range => ({ from, to: to === '00:00' ? '24:00' : to })

export const formOf = ({ timeZone, weekly, overrides = [] }: Hours): HoursForm => ({
  timeZone,
  week: DAYS.map((day) => weekly.filter((entry) => entry.day === day).map(toShown)),
  holidays: overrides.map(({ date, ranges }) => ({ date, ranges: ranges.map(toShown) })),
})

export const hoursOf = ({ timeZone, week, holidays }: HoursForm): Hours => ({
  timeZone: timeZone.trim(),
  weekly: week.flatMap((ranges, index) => ranges.map((range) => ({ day: index + 1, ...toStored(range) }))),
  overrides: holidays.map(({ date, ranges }) => ({ date, ranges: ranges.map(toStored) })),
})

/** Returns whether a range passes midnight: it belongs to the day on which it begins. */
export function endsNextDay(range: Range): boolean {
  const { from, to } = toStored(range)
  return from !== '' && to !== '' && to < from
}

const endsAt = (range: Range): string => (endsNextDay(range) ? '24:00' : toStored(range).to)

/**
 * Returns why the hours of one day aren't valid. `next`: the hours of the next day, which a night must not
 * overlap.
 */
export function faultOf(
  ranges: readonly Range[],
  next: readonly Range[] = [],
): 'missing' | 'same' | 'overlap' | 'nextDay' | undefined {
  const sorted = ranges.toSorted((a, b) => (a.from < b.from ? -1 : 1))
  if (sorted.some(({ from, to }) => from === '' || to === '')) return 'missing'
  if (sorted.some((range) => range.from === toStored(range).to)) return 'same'
  if (sorted.some(({ from }, index) => index > 0 && endsAt(sorted[index - 1]!) > from)) return 'overlap'
  const last = sorted.at(-1)
  const runsIntoNext = last && endsNextDay(last) && next.some(({ from }) => from !== '' && from < last.to)
  return runsIntoNext ? 'nextDay' : undefined
}

/** Returns the same for a day of the week, by its index. Sunday night continues into Monday. */
export const faultOfDay = (week: readonly Range[][], index: number) =>
  faultOf(week[index]!, week[(index + 1) % week.length])

/** Returns an error if a special day has no date, or its date appears twice. */
export const holidayFault = (holidays: readonly Holiday[], index: number): 'date' | 'twice' | undefined => {
  const { date } = holidays[index]!
  if (date === '') return 'date'
  return holidays.some((other, place) => place < index && other.date === date) ? 'twice' : undefined
}
