/** Hours from top to bottom, and columns of what goes on in them. */
import type { Booking } from '../../../sdk/api.ts'
import { classes } from '../../kit/classes.ts'
import { t } from '../words.ts'
import { BookingTile } from './booking-tile.tsx'
import { lanesOf } from './lanes.ts'
import { formatClockIn, localOf } from './zone.ts'

export type GridColumn = { id: string; title: string; isToday?: boolean; bookings: Booking[] }
type Props = {
  columns: readonly GridColumn[]
  zone: string
  openId: string | undefined
  onOpen: (id: string) => void
  /** The columns say with whom. */
  byStaff: boolean
}

const HOUR_PX = 56
/** What is shorter still can be read and pressed. */
const LEAST_MINUTES = 27
const [OPENS, CLOSES] = [8, 20]
const DAY_MINUTES = 24 * 60
const LINES = {
  backgroundImage: 'linear-gradient(to bottom, var(--color-line) 1px, transparent 1px)',
  backgroundSize: `100% ${HOUR_PX}px`,
}

const stretchOf = (zone: string, booking: Booking) => {
  const from = localOf(zone, booking.startAt).minute
  const to = Math.min(DAY_MINUTES, from + Math.max(booking.durationMinutes, LEAST_MINUTES))
  return { from: Math.min(from, DAY_MINUTES - LEAST_MINUTES), to, booking }
}

export function TimeGrid({ columns, zone, openId, onOpen, byStaff }: Props) {
  const filled = columns.map((column) => ({
    ...column,
    stretches: column.bookings.map((one) => stretchOf(zone, one)),
  }))
  const all = filled.flatMap(({ stretches }) => stretches)
  const first = Math.min(OPENS, ...all.map(({ from }) => Math.floor(from / 60)))
  const last = Math.max(CLOSES, ...all.map(({ to }) => Math.ceil(to / 60)))
  const hours = Array.from({ length: last - first }, (_, at) => first + at)
  const height = (last - first) * HOUR_PX
  const pixelsOf = (minutes: number): number => (minutes / 60) * HOUR_PX
  return (
    <section
      aria-label={t('calendar')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys
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
        {filled.map(({ id, title, isToday, stretches }) => (
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
              {lanesOf(stretches).map(({ item: { from, to, booking }, lane, lanes }) => (
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
