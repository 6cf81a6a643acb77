/** The receipt of an advance, by the module of sales documents. */
import type { Context } from '../../../core/context.ts'
import { issueVoucher } from '../../invoicing/operations/advances.ts'
import type { LinkRow } from '../../payments/operations/links.ts'
import type { BookingRow } from '../queries/bookings.ts'
import { bookingInEvent, readSetup } from './present.ts'

/** What an advance was paid for, as a document names it. */
export async function lineOfAdvance(ctx: Context, booking: BookingRow) {
  const setup = await readSetup(ctx, [booking])
  const service = setup.services.get(booking.serviceId)
  return {
    description: `Advance: ${bookingInEvent(ctx, booking, setup).summary}`,
    hsn: service?.hsn ?? null,
    taxRate: service?.taxRate ?? 0,
  }
}

/** Issues the voucher of an advance; undefined where no document of it can be issued: the ledger has the money then. */
export async function giveVoucher(ctx: Context, booking: BookingRow, link: LinkRow) {
  const { contactId, currency, customer } = booking
  if (contactId === null) return undefined
  const line = await lineOfAdvance(ctx, booking)
  return issueVoucher(ctx, { bookingId: booking.id, contactId, customer, currency, line }, link)
}
