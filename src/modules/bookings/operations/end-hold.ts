import type { Context } from '../../../core/context.ts'
import { endPaymentLink } from '../../payments/operations/links.ts'
import { holdBooking } from './find-booking.ts'

/** Ends a hold whose time is over, unless somebody who wanted the place has; its link is paid no more. */
export async function endLapsedHold(ctx: Context, id: string): Promise<void> {
  // Holding the staff ends what has lapsed.
  const { booking } = await holdBooking(ctx, id)
  if (booking.status === 'expired' && booking.paymentLinkId !== null)
    await endPaymentLink(ctx, booking.paymentLinkId, 'expired')
}
