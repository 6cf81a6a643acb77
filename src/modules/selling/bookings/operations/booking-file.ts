import type { Context } from '../../../../core/context.ts'
import type { Pieces } from '../../../../core/endpoint.ts'
import type { Language } from '../../../../core/values/languages.ts'
import { readLanguage } from '../../../messaging/contacts/operations/customer-language.ts'
import { type CalendarEntry, calendarFile } from '../calendar/ics.ts'
import type { BookingRow } from '../queries/bookings.ts'
import { bookingTexts } from '../texts/texts.ts'
import { bookingInEvent, readSetup, statusOf } from './present.ts'

async function* streamOf(text: string): AsyncGenerator<string> {
  yield text
}

/** Returns the state in the terms of calendars. A hold is tentative. */
function calendarStatus(row: BookingRow, now: Date): CalendarEntry['status'] {
  const status = statusOf(row, now)
  if (status === 'cancelled' || status === 'expired') return 'CANCELLED'
  return status === 'held' ? 'TENTATIVE' : 'CONFIRMED'
}

/** Returns a booking as a calendar file, in the customer's language if none is named. */
export async function bookingFile(ctx: Context, row: BookingRow, language?: Language): Promise<Pieces> {
  const { service, staff } = bookingInEvent(ctx, row, await readSetup(ctx, [row]))
  const { t } = bookingTexts(language ?? (await readLanguage(ctx, row.contactId)))
  const text = calendarFile({
    id: row.id,
    changes: row.changes,
    status: calendarStatus(row, ctx.now),
    startAt: row.startAt,
    endAt: row.endAt,
    changedAt: row.updatedAt,
    summary: staff ? t('calendar.title', { service, staff: staff.name }) : service,
    location: row.location,
  })
  return {
    contentType: 'text/calendar; charset=utf-8',
    filename: `booking-${row.id}.ics`,
    text: streamOf(text),
  }
}
