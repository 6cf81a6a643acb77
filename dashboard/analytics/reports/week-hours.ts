/** Weekdays and hours, in the reader's locale and in the order of their week. */
import { firstDay } from '../../kit/first-day.ts'
import { formatLocale } from '../../texts.ts'

/** The weekdays as the API has them (1 is Monday), from the first day of the reader's week. */
export const WEEKDAYS: readonly number[] = Array.from({ length: 7 }, (_, i) => ((firstDay + i + 6) % 7) + 1)

const formats = {
  short: new Intl.DateTimeFormat(formatLocale, { weekday: 'short', timeZone: 'UTC' }),
  long: new Intl.DateTimeFormat(formatLocale, { weekday: 'long', timeZone: 'UTC' }),
}
const hours = new Intl.DateTimeFormat(formatLocale, { hour: 'numeric', timeZone: 'UTC' })

// 2024-01-01 is a Monday.
export const formatWeekday = (weekday: number, form: keyof typeof formats): string =>
  formats[form].format(Date.UTC(2024, 0, weekday))
export const formatHour = (hour: number): string => hours.format(Date.UTC(2024, 0, 1, hour))
