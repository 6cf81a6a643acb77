/** Issues the receipt voucher of an advance, through the module of sales documents. */
import type { Context } from '../../../../core/context.ts'
import { readLanguage } from '../../../messaging/contacts/operations/customer-language.ts'
import { issueVoucher } from '../../invoicing/operations/advances.ts'
import type { LinkRow } from '../../payments/operations/links.ts'
import type { BookingRow } from '../queries/bookings.ts'
import { bookingTexts } from '../texts/texts.ts'
import { readSetup, summaryIn } from './present.ts'

/** Returns the document line of an advance, which names the service. */
export async function lineOfAdvance(ctx: Context, booking: BookingRow) {
  const setup = await readSetup(ctx, [booking])
  const service = setup.services.get(booking.serviceId)
  const language = await readLanguage(ctx, booking.contactId)
  const summary = summaryIn(ctx, booking, setup, language)
  return {
    description: bookingTexts(language).t('advance.line', { summary }),
    hsn: service?.hsn ?? null,
    taxRate: service?.taxRate ?? 0,
  }
}

/**
 * Issues the voucher of an advance. Returns undefined if no document can be issued; then only the ledger has
 * the money.
 */
export async function createAdvanceVoucher(ctx: Context, booking: BookingRow, link: LinkRow) {
  const { contactId, currency, customer } = booking
  if (contactId === null) return undefined
  const line = await lineOfAdvance(ctx, booking)
  return issueVoucher(ctx, { bookingId: booking.id, contactId, customer, currency, line }, link)
}
