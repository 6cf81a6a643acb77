import type { Context } from '../../../../core/context.ts'
import { touch } from '../../../../core/event.ts'
import { updateBookingRow } from '../queries/bookings.ts'
import { holdBooking } from './find-booking.ts'
import { freePlace } from './place.ts'
import { withdrawAdvance } from './withdraw-advance.ts'

/** Frees the place of an erased customer's future booking, without an event. Past bookings do not change. */
export async function releaseErasedBooking(ctx: Context, id: string): Promise<void> {
  const { booking } = await holdBooking(ctx, id)
  const isOpen = booking.status === 'held' || booking.status === 'confirmed'
  if (!isOpen || booking.startAt <= ctx.now) return
  await freePlace(ctx, booking)
  await updateBookingRow(ctx, booking.id, {
    status: 'cancelled',
    sessionId: null,
    holdExpiresAt: null,
    ...(booking.advanceStatus === 'paid' ? { advanceStatus: 'refund_due' as const } : {}),
    changes: booking.changes + 1,
  })
  await withdrawAdvance(ctx, booking)
  touch(ctx, { booking: booking.id })
}
