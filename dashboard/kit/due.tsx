import { formatLocale } from '../texts.ts'
import { classes } from './classes.ts'
import { formatFull, useNow, withYear } from './time.tsx'

const clock = new Intl.DateTimeFormat(formatLocale, { hour: 'numeric', minute: '2-digit' })
const dayAndClock = withYear({
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: 'numeric',
  minute: '2-digit',
})

/** A moment that is ahead: the hour of today, else the day too. */
export function formatDue(iso: string, now: number): string {
  const isToday = new Date(iso).toDateString() === new Date(now).toDateString()
  return isToday ? clock.format(Date.parse(iso)) : dayAndClock(Date.parse(iso), now)
}

/** When something is due; what is late stands out. */
export function Due({ at, open = true, className }: { at: string; open?: boolean; className?: string }) {
  const now = useNow()
  return (
    <time
      dateTime={at}
      title={formatFull(at)}
      className={classes(open && Date.parse(at) < now ? 'font-medium text-bad' : 'text-ink-2', className)}
    >
      {formatDue(at, now)}
    </time>
  )
}

const two = (value: number): string => String(value).padStart(2, '0')

/** A moment as an input of the kind `datetime-local` holds it. */
export function toLocalInput(at: string | number): string {
  const date = new Date(at)
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`
}

/** What such an input holds, as the API takes it; null for nothing. */
export const fromLocalInput = (text: string): string | null => (text ? new Date(text).toISOString() : null)
