/** Invoices a visit, through the module of sales documents. */
import type { Context } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import { voidReceivedMoney } from '../../crm/operations/received-money.ts'
import { readAdvance } from '../../invoicing/operations/advances.ts'
import { createDraft, type NewDocument } from '../../invoicing/operations/drafts.ts'
import { convertProforma } from '../../invoicing/operations/end-document.ts'
import { firstPaid, partsOfPaid } from '../../invoicing/operations/gateway-payments.ts'
import { issueHeld } from '../../invoicing/operations/issue.ts'
import { recordPayment } from '../../invoicing/operations/payments.ts'
import { holdSettings, rulesOfAdvance } from '../../invoicing/operations/settings.ts'
import { findPaymentLink, type LinkRow } from '../../payments/operations/links.ts'
import { type BookingRow, updateBookingRow } from '../queries/bookings.ts'
import { lineOfAdvance } from './create-advance-voucher.ts'
import { holdBooking } from './find-booking.ts'
import { bookingInEvent, readSetup } from './present.ts'

type Invoice = Awaited<ReturnType<typeof issueHeld>>

function requireInvoiceable(booking: BookingRow): void {
  if (booking.contactId === null)
    refuse('conflict', "The customer was erased. The booking can't be invoiced.")
  if (booking.status === 'held' || booking.status === 'expired')
    refuse('conflict', `The booking is ${booking.status}. Only a booking that was confirmed can be invoiced.`)
  if (booking.priceMinor === 0) refuse('conflict', 'The booking is free. There is nothing to invoice.')
  if (booking.advanceStatus === 'refund_due')
    refuse('conflict', 'The advance must be refunded first. Mark it refunded, or restore the booking.')
  if (booking.invoiceId !== null)
    refuse('conflict', `The booking already has the invoice ${booking.invoiceId}. See GET /sales-invoices.`)
}

/** Returns the payment link of an advance that is paid or kept, and not refunded. */
async function findPaidAdvance(ctx: Context, booking: BookingRow): Promise<LinkRow | undefined> {
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

/** Converts the voucher of an advance to an invoice of the visit, or of the advance alone if it was kept. */
async function convertVoucher(ctx: Context, booking: BookingRow, voucher: Invoice): Promise<Invoice> {
  const { lines } = await documentOf(ctx, booking)
  return convertProforma(ctx, voucher.id, booking.status === 'cancelled' ? undefined : lines)
}

/**
 * Returns the voucher of the advance, unless it was canceled. Refuses a voucher that already is an invoice.
 */
async function openVoucher(ctx: Context, booking: BookingRow): Promise<Invoice | undefined> {
  const voucher =
    booking.advanceInvoiceId === null ? undefined : await readAdvance(ctx, booking.advanceInvoiceId)
  if (voucher?.status === 'converted')
    refuse('conflict', `${voucher.number} became the invoice ${voucher.invoiceId}. See GET /sales-invoices.`)
  return voucher?.status === 'cancelled' ? undefined : voucher
}

/** Returns a document for the advance alone. The paid amount includes the tax. */
async function documentOfAdvance(ctx: Context, booking: BookingRow, link: LinkRow): Promise<NewDocument> {
  const line = await lineOfAdvance(ctx, booking)
  const lines = [{ ...line, quantity: 1, unit: 'NOS', unitMinor: link.paidPaise! }]
  return { contactId: booking.contactId, customer: booking.customer, lines }
}

/**
 * Creates a draft, or issues an invoice if an advance was recorded without a document. A kept advance is
 * invoiced alone.
 */
async function newInvoice(ctx: Context, booking: BookingRow, link: LinkRow | undefined): Promise<Invoice> {
  const advanceLink = booking.status === 'cancelled' ? link : undefined
  const parts = await (advanceLink ? documentOfAdvance(ctx, booking, advanceLink) : documentOf(ctx, booking))
  const from = link ? { bookingId: booking.id } : {}
  const { settings, ...held } = await createDraft(ctx, 'invoice', parts, from)
  if (held.document.currency !== booking.currency)
    refuse(
      'conflict',
      `The booking is in ${booking.currency}, but invoices are in ${held.document.currency}. Create the invoice yourself.`,
    )
  if (!link) return held.document
  return recordAdvancePayment(
    ctx,
    await issueHeld(ctx, held, advanceLink ? rulesOfAdvance(settings) : settings),
    link,
  )
}

/**
 * Creates the invoice of a booking as a draft. With a paid advance, it is issued immediately and takes over
 * the payment of the voucher or of the ledger row. So the advance counts once.
 */
export async function invoiceBooking(ctx: Context, id: string): Promise<Invoice> {
  // Locked before the lead, as in every operation that issues documents.
  await holdSettings(ctx)
  const { booking } = await holdBooking(ctx, id)
  requireInvoiceable(booking)
  const link = await findPaidAdvance(ctx, booking)
  const voucher = link && (await openVoucher(ctx, booking))
  const isRecorded = link !== undefined && booking.advanceInvoiceId === null
  const invoice = voucher
    ? await convertVoucher(ctx, booking, voucher)
    : await newInvoice(ctx, booking, isRecorded ? link : undefined)
  await updateBookingRow(ctx, booking.id, {
    invoiceId: invoice.id,
    ...(voucher || isRecorded ? { advanceInvoiceId: invoice.id } : {}),
  })
  touch(ctx, { booking: booking.id })
  return invoice
}

async function recordAdvancePayment(ctx: Context, invoice: Invoice, link: LinkRow): Promise<Invoice> {
  await voidReceivedMoney(ctx, { source: 'booking_advance', sourceId: link.id })
  const { paidOn: _, source, gatewayPaymentId, ...payment } = partsOfPaid(ctx, link, firstPaid(link))
  const { document } = await recordPayment(ctx, invoice.id, payment, { source, gatewayPaymentId })
  return document
}
