import { Ban, CalendarClock } from 'lucide-react'
import type { Booking } from '../../../sdk/api.ts'
import { classes } from '../../kit/classes.ts'
import { formatClockIn } from '../../kit/zone-times.tsx'
import { t } from '../texts.ts'
import { MIN_MINUTES } from './day-spans.ts'
import { pixelsOf } from './grid-scale.ts'
import { refusalText } from './moved-notice.ts'
import type { Place } from './places.ts'
import { customerOf } from './status.tsx'

type Props = { booking: Booking; place: Place; zone: string; top: number }

/** Shows where a dragged booking would start, or why it can't start there. */
export function MovePreview({ booking, place, zone, top }: Props) {
  const { startAt, refusal } = place
  const endAt = Date.parse(startAt) + booking.durationMinutes * 60_000
  const Icon = refusal ? Ban : CalendarClock
  return (
    <div
      aria-hidden
      data-move-preview
      className={classes(
        'pointer-events-none absolute inset-x-px z-5 flex flex-col gap-x-1 overflow-hidden rounded-md px-1.5 py-0.5 text-xs shadow-pop outline-2 -outline-offset-2',
        refusal
          ? 'bg-bad-soft text-bad outline-bad outline-dashed'
          : 'bg-accent-soft text-accent outline-accent',
      )}
      style={{ top, minHeight: pixelsOf(Math.max(booking.durationMinutes, MIN_MINUTES)) }}
    >
      <span className="flex items-center gap-1 font-semibold tabular-nums">
        <Icon size={12} className="shrink-0" />
        {t('time.range', { from: formatClockIn(zone, startAt), to: formatClockIn(zone, endAt) })}
      </span>
      <span dir="auto" className="truncate">
        {refusal ? refusalText(refusal, { booking, place }) : customerOf(booking)}
      </span>
    </div>
  )
}
