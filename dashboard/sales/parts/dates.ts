/** Days of documents, which are days of the workspace's zone and have no hour. */
import { formatLocale } from '../../texts.ts'

const day = new Intl.DateTimeFormat(formatLocale, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})

export const formatDate = (iso: string): string => day.format(new Date(`${iso}T00:00:00Z`))

/** The day of a moment in a zone. */
export const dayIn = (zone: string, at: number): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format(at)
