import type { Context } from '../../../core/context.ts'
import type { Pieces } from '../../../core/endpoint.ts'
import { calendarFile } from '../calendar/ics.ts'
import type { BookingRow } from '../queries/bookings.ts'
import { bookingInEvent, readSetup } from './present.ts'

async function* inOnePiece(text: string): AsyncGenerator<string> {
  yield text
}

/** A booking as a file for calendars. */
export async function bookingFile(ctx: Context, row: BookingRow): Promise<Pieces> {
  const { service, staff } = bookingInEvent(ctx, row, await readSetup(ctx, [row]))
  const text = calendarFile({
    id: row.id,
    changes: row.changes,
    isCancelled: row.status === 'cancelled' || row.status === 'expired',
    startAt: row.startAt,
    endAt: row.endAt,
    changedAt: row.updatedAt,
    summary: staff ? `${service} with ${staff.name}` : service,
    location: row.location,
  })
  return {
    contentType: 'text/calendar; charset=utf-8',
    filename: `booking-${row.id}.ics`,
    text: inOnePiece(text),
  }
}
