import type { Context } from '../../../../core/context.ts'
import { endPaymentLink } from '../../payments/operations/links.ts'
import { holdBooking } from './find-booking.ts'

/**
 * Ends an expired hold, unless another booking that needed the place already ended it, and its payment link.
 */
export async function endLapsedHold(ctx: Context, id: string): Promise<void> {
  // This also locks the staff, which ends their expired holds.
  const { booking } = await holdBooking(ctx, id)
  if (booking.status === 'expired' && booking.paymentLinkId !== null)
    await endPaymentLink(ctx, booking.paymentLinkId, 'expired')
}
