/** Formats the days of documents, which are days in the workspace's time zone, without an hour. */
import { formatLocale } from '../../texts.ts'

const day = new Intl.DateTimeFormat(formatLocale, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})

export const formatDate = (iso: string): string => day.format(new Date(`${iso}T00:00:00Z`))

/** Returns the day of a time in a zone. */
export const dayIn = (zone: string, time: number): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format(time)
