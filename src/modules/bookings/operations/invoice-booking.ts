/** The invoice of a visit, by the module of sales documents. */
import type { Context } from '../../../core/context.ts'
import { refuse } from '../../../core/errors.ts'
import { touch } from '../../../core/event.ts'
import { voidReceivedMoney } from '../../crm/operations/received-money.ts'
import { createDraft, type NewDocument } from '../../invoicing/operations/drafts.ts'
import { issueHeld } from '../../invoicing/operations/issue.ts'
import { recordPayment } from '../../invoicing/operations/payments.ts'
import { METHODS } from '../../invoicing/schema.ts'
import { findPaymentLink, type LinkRow } from '../../payments/operations/links.ts'
import { type BookingRow, updateBookingRow } from '../queries/bookings.ts'
import { holdBooking } from './find-booking.ts'
import { bookingInEvent, readSetup } from './present.ts'

type Invoice = Awaited<ReturnType<typeof issueHeld>>

function refuseUnsuited(booking: BookingRow): void {
  if (booking.contactId === null) refuse('conflict', 'The customer was erased: nobody is left to invoice.')
  if (booking.status === 'held' || booking.status === 'expired')
    refuse('conflict', `The booking is ${booking.status}. Only one that was confirmed is invoiced.`)
  if (booking.priceMinor === 0) refuse('conflict', 'The booking costs nothing. There is nothing to invoice.')
  if (booking.invoiceId !== null)
    refuse('conflict', `The booking has the invoice ${booking.invoiceId}. See GET /sales-invoices.`)
}

/** What was paid ahead and is still there. */
async function paidAhead(ctx: Context, booking: BookingRow): Promise<LinkRow | undefined> {
  const isThere = booking.advanceStatus === 'paid' || booking.advanceStatus === 'kept'
  return isThere && booking.paymentLinkId !== null ? findPaymentLink(ctx, booking.paymentLinkId) : undefined
}

async function documentOf(ctx: Context, booking: BookingRow): Promise<NewDocument> {
  const setup = await readSetup(ctx, [booking])
  const { summary } = bookingInEvent(ctx, booking, setup)
  const service = setup.services.get(booking.serviceId)
  return {
    contactId: booking.contactId,
    customer: booking.customer,
    lines: [
      {
        description: summary,
        hsn: service?.hsn ?? null,
        quantity: booking.partySize,
        unit: 'NOS',
        unitMinor: booking.priceMinor / booking.partySize,
        taxRate: service?.taxRate ?? 0,
      },
    ],
  }
}

/**
 * Makes the invoice of a booking: a draft. Where an advance was paid it is issued at once, and the advance is its first payment; the money
 * that came in leaves its row of the ledger for that of the payment, so that it counts once.
 */
export async function invoiceBooking(ctx: Context, id: string): Promise<Invoice> {
  const { booking } = await holdBooking(ctx, id)
  refuseUnsuited(booking)
  const link = await paidAhead(ctx, booking)
  const { settings, ...held } = await createDraft(
    ctx,
    'invoice',
    await documentOf(ctx, booking),
    link ? { bookingId: booking.id } : {},
  )
  if (held.document.currency !== booking.currency)
    refuse('conflict', `It was booked in ${booking.currency}, and invoices are in ${held.document.currency}.`)
  const invoice = link ? await settled(ctx, await issueHeld(ctx, held, settings), link) : held.document
  await updateBookingRow(ctx, booking.id, {
    invoiceId: invoice.id,
    ...(link ? { advanceInvoiceId: invoice.id } : {}),
  })
  touch(ctx, { booking: booking.id })
  return invoice
}

async function settled(ctx: Context, invoice: Invoice, link: LinkRow): Promise<Invoice> {
  const { id: sourceId, paidPaise, paymentMethod, paymentId } = link
  await voidReceivedMoney(ctx, { source: 'booking_advance', sourceId })
  const { document } = await recordPayment(
    ctx,
    invoice.id,
    {
      amountMinor: paidPaise!,
      tdsMinor: 0,
      method: METHODS.find((method) => method === paymentMethod) ?? 'other',
      reference: paymentId?.slice(0, 64) ?? null,
    },
    'gateway',
  )
  return document
}
