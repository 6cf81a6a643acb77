import { moneyText } from '../../../../core/values/money.ts'
import type { LinkRow } from '../../payments/operations/links.ts'
import type { BookingRow } from '../queries/bookings.ts'

/** Returns the reason why a received advance must be refunded. */
export function refundReasonOf(
  { status, advanceMinor, currency }: Pick<BookingRow, 'status' | 'advanceMinor' | 'currency'>,
  { paidPaise }: Pick<LinkRow, 'paidPaise'>,
): string {
  if (paidPaise! < advanceMinor!) return `was less than the requested ${moneyText(advanceMinor!, currency)}`
  if (status === 'expired') return 'was paid after the time was booked by another customer'
  return status === 'cancelled'
    ? 'was paid after the booking was canceled'
    : 'was paid after it had been waived'
}
