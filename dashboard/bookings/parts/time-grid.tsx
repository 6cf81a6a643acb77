/**
 * A grid with hours from top to bottom, and bookings in columns. A click on a free place books it, and a booking is
 * dragged to another time, day, or person.
 */
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { classes } from '../../kit/classes.ts'
import { formatClockIn } from '../../kit/zone-times.tsx'
import { t } from '../texts.ts'
import { HOUR_MINUTES, HOUR_PX, pixelsOf } from './grid-scale.ts'
import { type GridColumn, type GridProps, TimeColumn } from './time-column.tsx'

type Props = GridProps & { columns: readonly GridColumn[] }

const [OPENS, CLOSES] = [8, 20]

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

/** The width of the hours, and the least width of a booking, so that a first name can be read. */
const [HOURS_PX, LANE_PX] = [72, 62]

/** Returns how many bookings fit side by side in each of `count` columns that share the width of the grid. */
function useLanes(grid: RefObject<HTMLElement | null>, count: number): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = grid.current!
    const measure = () => setWidth(element.clientWidth)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [grid])
  return Math.max(1, Math.floor((width - HOURS_PX) / count / LANE_PX))
}

export function TimeGrid({ columns, ...column }: Props) {
  const allParts = columns.flatMap(({ parts }) => parts)
  const first = Math.min(OPENS, ...allParts.map(({ from }) => Math.floor(from / 60)))
  const last = Math.max(CLOSES, ...allParts.map(({ to }) => Math.ceil(to / 60)))
  const hours = Array.from({ length: last - first }, (_, index) => first + index)
  const height = (last - first) * HOUR_PX
  const grid = useFirstHour(columns, (minutes) => pixelsOf(minutes - first * HOUR_MINUTES))
  const lanes = useLanes(grid, columns.length)
  const maxLanes = column.byStaff ? Number.POSITIVE_INFINITY : lanes
  return (
    <section
      ref={grid}
      aria-label={t('calendar')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keys
      tabIndex={0}
      className="scroll-thin min-h-0 flex-1 overflow-auto border-t"
    >
      <div className={classes('flex', column.byStaff && 'min-w-max')}>
        <div aria-hidden className="sticky start-0 z-20 w-18 shrink-0 bg-surface-1">
          {/* Hours that are scrolled away don't show beside the names of the columns. */}
          <div className="sticky top-0 z-10 h-10 border-b bg-surface-1" />
          <div className="relative" style={{ height }}>
            {hours.map((hour) => (
              <span
                key={hour}
                className="absolute end-2 text-xs whitespace-nowrap text-ink-3 tabular-nums"
                style={{ top: (hour - first) * HOUR_PX + 2 }}
              >
                {formatClockIn('UTC', hour * 3_600_000)}
              </span>
            ))}
          </div>
        </div>
        {columns.map((shown) => (
          <TimeColumn
            key={shown.id}
            column={shown}
            first={first}
            hours={hours}
            maxLanes={maxLanes}
            {...column}
          />
        ))}
      </div>
    </section>
  )
}
