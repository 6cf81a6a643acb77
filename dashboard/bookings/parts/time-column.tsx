/** A column of the calendar's grid: its free half hours, its bookings, and the place of a dragged booking. */
import { classes } from '../../kit/classes.ts'
import { instantOf } from '../../kit/zone.ts'
import { formatClockIn } from '../../kit/zone-times.tsx'
import { BookingStack } from './booking-stack.tsx'
import { BookingTile } from './booking-tile.tsx'
import type { BookingPart } from './day-spans.ts'
import { useDraggedBooking, useDropColumn } from './drag-booking.ts'
import { HOUR_MINUTES, HOUR_PX, pixelsOf } from './grid-scale.ts'
import { MovePreview } from './move-preview.tsx'
import type { PlaceColumn } from './places.ts'
import { arrange } from './stacks.ts'
import { isMovable } from './status.tsx'
import type { Moves } from './use-moves.ts'

export type GridColumn = PlaceColumn & {
  id: string
  title: string
  isToday?: boolean
  /** The current minute of the day, if the column shows today. */
  now: number | undefined
}
export type GridProps = {
  zone: string
  openId: string | undefined
  onOpen: (id: string) => void
  /** Each column belongs to one member of staff. */
  byStaff: boolean
  /** Undefined for members who can't book. */
  onCreate: ((place: { startAt: string; staffId?: string }) => void) | undefined
  /** Undefined for members who can't move bookings. */
  moves: Moves | undefined
  /** Shows a day with a column for each member of staff. */
  onDay: (day: string) => void
}

const STEP_MINUTES = 30
/** A shorter booking has room for one line. */
const SHORT_MINUTES = 38
const [LANE_REM, NARROWEST_REM, WIDEST_REM] = [4, 9, 16]
/** Returns the width that a column needs for bookings side by side, so that first names can be read. */
const widthOf = (lanes: number): number => Math.min(Math.max(NARROWEST_REM, lanes * LANE_REM), WIDEST_REM)
const LINES = {
  backgroundImage: 'linear-gradient(to bottom, var(--color-line) 1px, transparent 1px)',
  backgroundSize: `100% ${HOUR_PX}px`,
}

type FreePlacesProps = {
  column: GridColumn
  zone: string
  hours: readonly number[]
  onCreate: NonNullable<GridProps['onCreate']>
}

/** The half hours of a column, for the mouse: by keyboard and with a screen reader, the command is shorter. */
const FreePlaces = ({ column: { day, staff }, zone, hours, onCreate }: FreePlacesProps) => (
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
            onClick={() => onCreate({ startAt, ...(staff && { staffId: staff.id }) })}
            className="group flex-1 px-1.5 text-start text-xs text-accent hover:bg-accent-soft"
          >
            <span className="invisible group-hover:visible">+ {formatClockIn(zone, startAt)}</span>
          </button>
        )
      })}
  </div>
)

type EntryProps = Omit<GridProps, 'onCreate' | 'onDay'> & {
  part: BookingPart
  lane: number
  lanes: number
  top: number
}

/** A booking at its time. It can be dragged by its first part, until it has ended. */
function Entry({ part, lane, lanes, top, zone, openId, onOpen, byStaff, moves }: EntryProps) {
  const { from, to, booking, isContinued } = part
  const { tile, isDragged } = useDraggedBooking(
    booking,
    isMovable(booking) && !isContinued ? moves : undefined,
  )
  return (
    <li
      ref={tile}
      className={classes(
        '@container absolute p-px',
        isDragged && 'opacity-40',
        booking.id === moves?.movingId && 'animate-pulse motion-reduce:animate-none',
      )}
      style={{
        top,
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
        isShort={to - from < SHORT_MINUTES}
      />
    </li>
  )
}

type Props = GridProps & {
  column: GridColumn
  first: number
  hours: readonly number[]
  /** The most bookings side by side. In a week, more are stacked, so that all days fit; a column of staff gets wider. */
  maxLanes: number
}

export function TimeColumn({ column, first, hours, maxLanes, onCreate, onDay, ...entries }: Props) {
  const { title, isToday, now, parts } = column
  const { zone, moves, byStaff, openId, onOpen } = entries
  const { area, preview } = useDropColumn(column, first, moves)
  const { placed, stacks } = arrange(parts, maxLanes)
  const lanes = Math.max(1, ...placed.map((entry) => entry.lanes))
  const height = hours.length * HOUR_PX
  const topOf = (minutes: number): number => pixelsOf(minutes - first * HOUR_MINUTES)
  const isNowInside = now !== undefined && topOf(now) >= 0 && topOf(now) < height
  return (
    <section
      aria-label={title}
      className="flex-1 basis-0 border-s"
      style={{ minWidth: byStaff ? `${widthOf(lanes)}rem` : 0 }}
    >
      <h3
        dir="auto"
        aria-current={isToday ? 'date' : undefined}
        className={classes(
          'sticky top-0 z-10 flex h-10 items-center border-b bg-surface-1 px-1.5 text-sm font-semibold',
          isToday ? 'text-accent' : 'text-ink-2',
        )}
      >
        <span className="line-clamp-2 leading-4 wrap-anywhere">{title}</span>
      </h3>
      <div ref={area} className="relative" style={{ height, ...LINES }}>
        {onCreate && <FreePlaces column={column} zone={zone} hours={hours} onCreate={onCreate} />}
        <ul className="pointer-events-none absolute inset-0 *:pointer-events-auto">
          {placed.map(({ item, lane, lanes }) => (
            <Entry
              key={item.booking.id}
              part={item}
              lane={lane}
              lanes={lanes}
              top={topOf(item.from)}
              {...entries}
            />
          ))}
          {stacks.map(({ from, to, items }) => (
            <li
              key={items[0]!.booking.id}
              className="absolute inset-x-0 p-px"
              style={{ top: topOf(from), height: pixelsOf(to - from) }}
            >
              <BookingStack
                parts={items}
                day={column.day}
                zone={zone}
                height={pixelsOf(to - from)}
                openId={openId}
                onOpen={onOpen}
                onDay={() => onDay(column.day)}
              />
            </li>
          ))}
        </ul>
        {preview && <MovePreview {...preview} zone={zone} top={topOf(preview.place.minute)} />}
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
