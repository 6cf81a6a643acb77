/** Shows and reads times in a time zone: the part of `zone.ts` that lists of tasks and leads need. */
import { formatLocale } from '../texts.ts'
import { classes } from './classes.ts'
import { useNow, withYear } from './time.tsx'

const DAY_MS = 24 * 60 * 60_000
type Moment = string | number

const formats = new Map<string, (time: number) => string>()
/** Returns the format with this name in a zone. It is built once, because that takes long. */
function formatOf(
  name: string,
  zone: string,
  build: () => (time: number) => string,
): (time: number) => string {
  const format = formats.get(`${name} ${zone}`) ?? build()
  formats.set(`${name} ${zone}`, format)
  return format
}
const plainFormat = (locale: string, options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat(locale, options)
  return (time: number) => format.format(time)
}
const msOf = (time: Moment): number => new Date(time).getTime()

/** Returns a time as the value of a `datetime-local` input, in a zone: `2026-06-01T10:00`. */
export const toZoneInput = (zone: string, time: Moment): string =>
  formatOf('input', zone, () =>
    // Swedish writes times in this order.
    plainFormat('sv-SE', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    }),
  )(msOf(time)).replace(' ', 'T')

/**
 * Returns the time at which the clocks of a zone show `wall`, a time as if in UTC: the first of two; if the clocks skip
 * it, later by the skipped time.
 */
export function instantAt(zone: string, wall: number): string {
  const shownAt = (time: number): number => Date.parse(`${toZoneInput(zone, time)}Z`)
  const [first, second] = [-DAY_MS, DAY_MS].map((by) => 2 * wall + by - shownAt(wall + by)) as [
    number,
    number,
  ]
  return new Date(shownAt(first) === wall || shownAt(second) !== wall ? first : second).toISOString()
}

/** Returns the time of a `datetime-local` input; undefined if empty. */
export function fromZoneInput(zone: string, text: string): string | undefined {
  const wall = Date.parse(`${text.slice(0, 16)}Z`)
  return Number.isNaN(wall) ? undefined : instantAt(zone, wall)
}

/** Returns the day in a zone, and the following day: `2026-06-01`. */
const dayIn = (zone: string, time: Moment): string => toZoneInput(zone, time).slice(0, 10)
export const dayAfterIn = (zone: string, time: Moment): string =>
  new Date(Date.parse(dayIn(zone, time)) + DAY_MS).toISOString().slice(0, 10)

/** Formats the time of day in a zone, in the reader's locale. */
export const formatClockIn = (zone: string, time: Moment): string =>
  formatOf('clock', zone, () =>
    plainFormat(formatLocale, { hour: 'numeric', minute: '2-digit', timeZone: zone }),
  )(msOf(time))

/** Formats a future time in a zone: the hour if it is today there, otherwise also the day. */
export const formatDueIn = (zone: string, at: string, now: number): string =>
  dayIn(zone, at) === dayIn(zone, now)
    ? formatClockIn(zone, at)
    : formatOf('due', zone, () =>
        withYear({
          weekday: 'short',
          day: 'numeric',
          month: 'short',
          hour: 'numeric',
          minute: '2-digit',
          timeZone: zone,
        }),
      )(msOf(at))

export const formatFullIn = (zone: string, at: string): string =>
  formatOf('full', zone, () =>
    plainFormat(formatLocale, { dateStyle: 'full', timeStyle: 'long', timeZone: zone }),
  )(msOf(at))

/** Shows a time in a zone: the hour if it is today, otherwise also the day. */
export function DueIn({
  at,
  zone,
  className = 'text-ink-2',
}: {
  at: string
  zone: string
  className?: string
}) {
  const now = useNow()
  return (
    <time dateTime={at} title={formatFullIn(zone, at)} className={className}>
      {formatDueIn(zone, at, now)}
    </time>
  )
}

/** Shows the due time of an open task in a zone, and highlights it when overdue. */
export function ZoneDue({ at, zone, className }: { at: string; zone: string; className?: string }) {
  const now = useNow()
  return (
    <time
      dateTime={at}
      title={formatFullIn(zone, at)}
      className={classes(Date.parse(at) < now ? 'font-medium text-bad' : 'text-ink-2', className)}
    >
      {formatDueIn(zone, at, now)}
    </time>
  )
}
