import type { Context } from '../../../../core/context.ts'
import { enqueueAll } from '../../../../database/sql/enqueue-jobs.ts'
import type { BookingRow } from '../queries/bookings.ts'
import { remindOfBooking } from '../reminder-jobs.ts'
import { reminderTimes } from './reminder-times.ts'
import { readSettings } from './settings.ts'

/** Plans the reminders of a booking that was confirmed or moved. */
export async function planReminders(ctx: Context, booking: BookingRow): Promise<void> {
  const { reminders } = await readSettings(ctx)
  const startAt = booking.startAt.toISOString()
  await enqueueAll(
    remindOfBooking,
    reminderTimes(reminders, booking.startAt, ctx.now).map(({ minutesBefore, at }) => ({
      ctx,
      payload: { bookingId: booking.id, startAt, minutesBefore },
      at,
    })),
  )
}
