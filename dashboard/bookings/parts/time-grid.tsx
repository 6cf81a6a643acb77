/** A grid with hours from top to bottom, and bookings in columns. */
import { classes } from '../../kit/classes.ts'
import { formatClockIn } from '../../kit/zone-times.tsx'
import { t } from '../texts.ts'
import { BookingTile } from './booking-tile.tsx'
import type { BookingPart } from './day-spans.ts'
import { lanesOf } from './lanes.ts'

export type GridColumn = { id: string; title: string; isToday?: boolean; parts: BookingPart[] }
type Props = {
  columns: readonly GridColumn[]
  zone: string
  openId: string | undefined
  onOpen: (id: string) => void
  /** Each column belongs to one member of staff. */
  byStaff: boolean
}

const HOUR_PX = 56
const [OPENS, CLOSES] = [8, 20]
const LINES = {
  backgroundImage: 'linear-gradient(to bottom, var(--color-line) 1px, transparent 1px)',
  backgroundSize: `100% ${HOUR_PX}px`,
}

export function TimeGrid({ columns, zone, openId, onOpen, byStaff }: Props) {
  const allParts = columns.flatMap(({ parts }) => parts)
  const first = Math.min(OPENS, ...allParts.map(({ from }) => Math.floor(from / 60)))
  const last = Math.max(CLOSES, ...allParts.map(({ to }) => Math.ceil(to / 60)))
  const hours = Array.from({ length: last - first }, (_, index) => first + index)
  const height = (last - first) * HOUR_PX
  const pixelsOf = (minutes: number): number => (minutes / 60) * HOUR_PX
  return (
    <section
      aria-label={t('calendar')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keys
      tabIndex={0}
      className="scroll-thin min-h-0 flex-1 overflow-auto border-t"
    >
      <div className="flex min-w-max">
        <div aria-hidden className="sticky start-0 z-20 w-20 shrink-0 bg-surface-1 pt-10">
          <div className="relative" style={{ height }}>
            {hours.map((hour) => (
              <span
                key={hour}
                className="absolute end-2 text-xs text-ink-3 tabular-nums"
                style={{ top: (hour - first) * HOUR_PX + 2 }}
              >
                {formatClockIn('UTC', hour * 3_600_000)}
              </span>
            ))}
          </div>
        </div>
        {columns.map(({ id, title, isToday, parts }) => (
          <section key={id} aria-label={title} className="min-w-36 flex-1 border-s">
            <h3
              dir="auto"
              aria-current={isToday ? 'date' : undefined}
              className={classes(
                'sticky top-0 z-10 flex h-10 items-center truncate border-b bg-surface-1 px-2 text-sm font-semibold',
                isToday ? 'text-accent' : 'text-ink-2',
              )}
            >
              {title}
            </h3>
            <ul className="relative" style={{ height, ...LINES }}>
              {lanesOf(parts).map(({ item: { from, to, booking, isContinued }, lane, lanes }) => (
                <li
                  key={booking.id}
                  className="absolute p-px"
                  style={{
                    top: pixelsOf(from - first * 60),
                    height: pixelsOf(to - from),
                    insetInlineStart: `${(lane / lanes) * 100}%`,
                    width: `${100 / lanes}%`,
                  }}
                >
                  <BookingTile
                    booking={booking}
                    zone={zone}
                    isOpen={booking.id === openId}
                    onOpen={onOpen}
                    isContinued={isContinued}
                    inColumn={byStaff}
                  />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </section>
  )
}
