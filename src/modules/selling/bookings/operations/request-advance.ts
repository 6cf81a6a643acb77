/** Requests an advance by a payment link of the gateway, which is valid as long as the hold. */
import type { Context } from '../../../../core/context.ts'
import { Refusal } from '../../../../core/errors.ts'
import { enqueue } from '../../../../database/sql/enqueue-jobs.ts'
import { openPaymentLink } from '../../payments/operations/links.ts'
import { MAX_TOTAL_PAISE } from '../../payments/schema.ts'
import { endHold, followAdvance } from '../jobs.ts'
import type { BookingRow } from '../queries/bookings.ts'

/** The only currency that the gateway accepts. */
const CURRENCY = 'INR'

/**
 * Opens the payment link of a held booking, and plans the end of its hold. Returns a refusal if the gateway
 * cannot collect.
 */
export async function requestAdvance(
  ctx: Context,
  booking: BookingRow,
  description: string,
): Promise<string | Refusal> {
  if (booking.currency !== CURRENCY)
    return new Refusal(
      'conflict',
      `The payment gateway collects ${CURRENCY}, but prices are in ${booking.currency}. Send advance "waive".`,
    )
  if (booking.advanceMinor! > MAX_TOTAL_PAISE)
    return new Refusal(
      'conflict',
      `The payment gateway collects at most ${MAX_TOTAL_PAISE} paise. Lower the advance of the service.`,
    )
  const link = await openPaymentLink(ctx, {
    subjectId: booking.id,
    followJob: followAdvance.name,
    amountPaise: booking.advanceMinor!,
    description,
    expiresAt: booking.holdExpiresAt!,
  })
  if (link instanceof Refusal) return link
  await enqueue(ctx, endHold, { bookingId: booking.id }, booking.holdExpiresAt!)
  return link.id
}
