/** A grid with hours from top to bottom, and bookings in columns. A click on a free place books it. */
import { useEffect, useRef } from 'react'
import { classes } from '../../kit/classes.ts'
import { instantOf } from '../../kit/zone.ts'
import { formatClockIn } from '../../kit/zone-times.tsx'
import { t } from '../texts.ts'
import { BookingTile } from './booking-tile.tsx'
import type { BookingPart } from './day-spans.ts'
import { lanesOf } from './lanes.ts'

export type GridColumn = {
  id: string
  title: string
  day: string
  /** The staff whose column it is. */
  staffId?: string
  isToday?: boolean
  /** The current minute of the day, if the column shows today. */
  now: number | undefined
  parts: BookingPart[]
}
type Props = {
  columns: readonly GridColumn[]
  zone: string
  openId: string | undefined
  onOpen: (id: string) => void
  /** Each column belongs to one member of staff. */
  byStaff: boolean
  /** Undefined for members who can't book. */
  onCreate: ((place: { startAt: string; staffId?: string }) => void) | undefined
}

const HOUR_PX = 56
const [OPENS, CLOSES] = [8, 20]
const STEP_MINUTES = 30
const LINES = {
  backgroundImage: 'linear-gradient(to bottom, var(--color-line) 1px, transparent 1px)',
  backgroundSize: `100% ${HOUR_PX}px`,
}

const HOUR_MINUTES = 60
const pixelsOf = (minutes: number): number => (minutes / HOUR_MINUTES) * HOUR_PX

/** Scrolls to an hour before the current time, otherwise to the first booking, when another day is shown. */
function useFirstHour(columns: readonly GridColumn[], topOf: (minutes: number) => number) {
  const grid = useRef<HTMLElement>(null)
  const days = [...new Set(columns.map(({ day }) => day))].join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the place stays while bookings change
  useEffect(() => {
    const now = columns.find((column) => column.now !== undefined)?.now
    const first = Math.min(...columns.flatMap(({ parts }) => parts.map(({ from }) => from)))
    const from = now === undefined ? first : now - HOUR_MINUTES
    if (Number.isFinite(from)) grid.current?.scrollTo({ top: Math.max(0, topOf(from)) })
  }, [days])
  return grid
}

type FreePlacesProps = {
  column: GridColumn
  zone: string
  hours: readonly number[]
  onCreate: NonNullable<Props['onCreate']>
}

/** The half hours of a column, for the mouse: by keyboard and with a screen reader, the command is shorter. */
const FreePlaces = ({ column: { day, staffId }, zone, hours, onCreate }: FreePlacesProps) => (
  <div aria-hidden className="absolute inset-0 flex flex-col">
    {hours
      .flatMap((hour) => [hour * HOUR_MINUTES, hour * HOUR_MINUTES + STEP_MINUTES])
      .map((minute) => {
        const startAt = instantOf(zone, { day, minute })
        return (
          <button
            key={minute}
            type="button"
            tabIndex={-1}
            data-free={minute}
            onClick={() => onCreate({ startAt, ...(staffId && { staffId }) })}
            className="group flex-1 px-1.5 text-start text-xs text-accent hover:bg-accent-soft"
          >
            <span className="invisible group-hover:visible">+ {formatClockIn(zone, startAt)}</span>
          </button>
        )
      })}
  </div>
)

type ColumnProps = Omit<Props, 'columns'> & { column: GridColumn; first: number; hours: readonly number[] }

function Column({ column, first, hours, zone, openId, onOpen, byStaff, onCreate }: ColumnProps) {
  const { title, isToday, now, parts } = column
  const height = hours.length * HOUR_PX
  const topOf = (minutes: number): number => pixelsOf(minutes - first * HOUR_MINUTES)
  const isNowInside = now !== undefined && topOf(now) >= 0 && topOf(now) < height
  return (
    <section aria-label={title} className="min-w-36 flex-1 border-s">
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
      <div className="relative" style={{ height, ...LINES }}>
        {onCreate && <FreePlaces column={column} zone={zone} hours={hours} onCreate={onCreate} />}
        <ul className="pointer-events-none absolute inset-0 *:pointer-events-auto">
          {lanesOf(parts).map(({ item: { from, to, booking, isContinued }, lane, lanes }) => (
            <li
              key={booking.id}
              className="absolute p-px"
              style={{
                top: topOf(from),
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
        {isNowInside && (
          <div
            aria-hidden
            data-now
            className="pointer-events-none absolute inset-x-0 border-t-2 border-bad"
            style={{ top: topOf(now) }}
          />
        )}
      </div>
    </section>
  )
}

export function TimeGrid({ columns, zone, openId, onOpen, byStaff, onCreate }: Props) {
  const allParts = columns.flatMap(({ parts }) => parts)
  const first = Math.min(OPENS, ...allParts.map(({ from }) => Math.floor(from / 60)))
  const last = Math.max(CLOSES, ...allParts.map(({ to }) => Math.ceil(to / 60)))
  const hours = Array.from({ length: last - first }, (_, index) => first + index)
  const height = (last - first) * HOUR_PX
  const grid = useFirstHour(columns, (minutes) => pixelsOf(minutes - first * HOUR_MINUTES))
  return (
    <section
      ref={grid}
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
        {columns.map((column) => (
          <Column
            key={column.id}
            column={column}
            first={first}
            hours={hours}
            zone={zone}
            openId={openId}
            onOpen={onOpen}
            byStaff={byStaff}
            onCreate={onCreate}
          />
        ))}
      </div>
    </section>
  )
}
