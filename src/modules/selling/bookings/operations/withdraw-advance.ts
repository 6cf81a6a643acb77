import type { Context } from '../../../../core/context.ts'
import { endPaymentLink } from '../../payments/operations/links.ts'
import type { BookingRow } from '../queries/bookings.ts'

/** Cancels the payment link of an advance, so that it can no longer be paid. */
export const withdrawAdvance = async (ctx: Context, { paymentLinkId }: BookingRow): Promise<void> => {
  if (paymentLinkId !== null) await endPaymentLink(ctx, paymentLinkId, 'cancelled')
}
