/** Finds the place in the calendar where a dragged booking would start. Pure. */
import type { Booking, BookingService, BookingSlot } from '../../../sdk/api.ts'
import { instantOf, localOf } from '../../kit/zone.ts'
import { type BookingPart, DAY_MINUTES } from './day-spans.ts'
import { isReleased } from './status.tsx'

const MINUTE_MS = 60_000
/** Without a free start nearby, the place follows the pointer in these steps. */
const STEP_MINUTES = 15

/** Why a booking can't start in a place, as far as the page knows. The server decides. */
export type Refusal = 'past' | 'staff' | 'taken' | 'closed'
export type Place = {
  startAt: string
  /** The minute of the day. */
  minute: number
  staff: Booking['staff']
  refusal: Refusal | undefined
}

type Start = Pick<Place, 'startAt' | 'minute'>
/** The free starts by day and staff. */
export type Starts = ReadonlyMap<string, readonly Start[]>
const keyOf = (day: string, staffId: string | null | undefined): string => `${day} ${staffId ?? ''}`

/** Groups free times by day and staff. */
export const groupStarts = (zone: string, slots: readonly BookingSlot[]): Starts =>
  Map.groupBy(
    slots.map(({ startAt, staffId }) => ({ startAt, staffId, ...localOf(zone, startAt) })),
    ({ day, staffId }) => keyOf(day, staffId),
  )

export type PlaceColumn = {
  day: string
  /** The staff of the column; undefined if a booking keeps its staff there, null for bookings without staff. */
  staff: Booking['staff'] | undefined
  parts: readonly BookingPart[]
}
type Move = {
  zone: string
  now: number
  booking: Booking
  /** Undefined if the service was deleted. */
  service: BookingService | undefined
  /** Undefined until they are loaded. */
  starts: Starts | undefined
}

/** Returns whether another booking of the staff is at a time. */
function isTakenAt({ booking }: Move, staff: Booking['staff'], { parts }: PlaceColumn, startAt: string) {
  const from = Date.parse(startAt)
  const to = from + booking.durationMinutes * MINUTE_MS
  return parts.some(
    ({ booking: other }) =>
      other.id !== booking.id &&
      other.staff?.id === staff?.id &&
      !isReleased(other) &&
      Date.parse(other.startAt) < to &&
      Date.parse(other.endAt) > from,
  )
}

/**
 * Returns the starts that overlap the booking's own time. They are not among the free times, because the booking
 * itself takes them.
 */
function ownStarts(move: Move, staff: Booking['staff'], column: PlaceColumn): Start[] {
  const { zone, now, booking, service } = move
  const own = localOf(zone, booking.startAt)
  if (own.day !== column.day || staff?.id !== booking.staff?.id) return []
  const step = service?.stepMinutes ?? STEP_MINUTES
  const buffers = service ? service.bufferBeforeMinutes + service.bufferAfterMinutes : 0
  const stepCount = Math.ceil((booking.durationMinutes + buffers) / step) - 1
  return Array.from({ length: 2 * stepCount + 1 }, (_, index) => own.minute + (index - stepCount) * step)
    .filter((minute) => minute >= 0 && minute < DAY_MINUTES && minute !== own.minute)
    .map((minute) => ({ minute, startAt: instantOf(zone, { day: column.day, minute }) }))
    .filter(({ startAt }) => Date.parse(startAt) > now && !isTakenAt(move, staff, column, startAt))
    .concat({ minute: own.minute, startAt: booking.startAt })
}

function refusalAt(
  move: Move,
  staff: Booking['staff'],
  column: PlaceColumn,
  startAt: string,
): Refusal | undefined {
  const { now, service, starts } = move
  if (Date.parse(startAt) < now) return 'past'
  if (service && staff && !service.staffIds.includes(staff.id)) return 'staff'
  if (isTakenAt(move, staff, column, startAt)) return 'taken'
  return starts && 'closed'
}

/** Returns the place near a minute of a column: the nearest free start, otherwise the minute with its refusal. */
export function placeNear(move: Move, column: PlaceColumn, minute: number): Place {
  const { zone, booking, service, starts } = move
  const staff = column.staff === undefined ? booking.staff : column.staff
  const free = [...(starts?.get(keyOf(column.day, staff?.id)) ?? []), ...ownStarts(move, staff, column)]
  const distanceOf = (start: Start): number => Math.abs(start.minute - minute)
  const [nearest] = free.toSorted((a, b) => distanceOf(a) - distanceOf(b))
  const reach = Math.max(STEP_MINUTES, (service?.stepMinutes ?? 0) / 2)
  if (nearest && distanceOf(nearest) <= reach)
    return { startAt: nearest.startAt, minute: nearest.minute, staff, refusal: undefined }
  const rounded = Math.round(minute / STEP_MINUTES) * STEP_MINUTES
  const inDay = Math.min(Math.max(rounded, 0), DAY_MINUTES - STEP_MINUTES)
  const startAt = instantOf(zone, { day: column.day, minute: inDay })
  return { startAt, minute: inDay, staff, refusal: refusalAt(move, staff, column, startAt) }
}

/** Returns whether a booking is in a place already. */
export const isAt = (booking: Booking, { startAt, staff }: Pick<Place, 'startAt' | 'staff'>): boolean =>
  booking.startAt === startAt && booking.staff?.id === staff?.id
