/** Computes the place of bookings in a day of the calendar, in the calendar's time zone. */
import type { Booking } from '../../../sdk/api.ts'
import { localOf } from '../../kit/zone.ts'

export const DAY_MINUTES = 24 * 60
/** The height of shorter bookings, so that they can be read and clicked. */
export const MIN_MINUTES = 27

/**
 * The part of a booking on one day, in minutes since midnight. `isContinued`: it started on an earlier day.
 */
export type DaySpan = { from: number; to: number; isContinued: boolean }
export type BookingPart = DaySpan & { booking: Booking }

/** Returns the part of a booking on a day; undefined if there is none. */
export function daySpanOf(
  zone: string,
  day: string,
  { startAt, endAt }: Pick<Booking, 'startAt' | 'endAt'>,
): DaySpan | undefined {
  const [start, end] = [localOf(zone, startAt), localOf(zone, endAt)]
  const isContinued = start.day < day
  if (start.day > day || end.day < day) return undefined
  if (isContinued && end.day === day && end.minute === 0) return undefined
  const from = isContinued ? 0 : Math.min(start.minute, DAY_MINUTES - MIN_MINUTES)
  const until = end.day > day ? DAY_MINUTES : end.minute
  return { from, to: Math.min(DAY_MINUTES, Math.max(until, from + MIN_MINUTES)), isContinued }
}

/** Returns the parts of all bookings on a day. */
export const partsOn = (zone: string, day: string, bookings: readonly Booking[]): BookingPart[] =>
  bookings.flatMap((booking) => {
    const span = daySpanOf(zone, day, booking)
    return span ? [{ ...span, booking }] : []
  })
