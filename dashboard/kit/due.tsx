import { classes } from './classes.ts'
import { formatDue, formatFull, useNow } from './time.tsx'

/** Shows a due time, and highlights it when overdue. */
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

const twoDigits = (value: number): string => String(value).padStart(2, '0')

/** Returns a time as the value of a `datetime-local` input. */
export function toLocalInput(time: string | number): string {
  const date = new Date(time)
  const day = `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`
  return `${day}T${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`
}

/** Returns the value of a `datetime-local` input in the API's format; null if empty. */
export const fromLocalInput = (text: string): string | null => (text ? new Date(text).toISOString() : null)
