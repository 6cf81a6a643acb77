/** Events of sales documents (spec 6.3). Only admin keys may read them (spec 4.8). */
import { z } from 'zod'
import { component } from '../../../core/component.ts'
import { event } from '../../../core/event.ts'
import { Id } from '../../../core/ids.ts'
import { Instant } from '../../../core/values/text.ts'
import { PAYMENT_FIELDS } from './payment-schema.ts'
import { DOCUMENT_FIELDS } from './schema.ts'

const CustomerInEvent = z
  .object({
    contactId: Id.nullable(),
    name: z.string().nullable(),
    phone: z.string().nullable(),
    email: z.string().nullable(),
  })
  .meta(component('EventCustomer', 'The customer of a document in an event.'))

const common = {
  id: Id,
  number: z.string(),
  status: z.string(),
  version: z.int(),
  issueDate: z.string(),
  validUntil: z.string().nullable(),
  currency: z.string(),
  totalMinor: z.int(),
  total: z.string(),
  customer: CustomerInEvent,
  url: z.string().nullable(),
}

export const InvoiceInEvent = z
  .object({
    ...common,
    kind: z.enum(['invoice', 'proforma']),
    dueDate: z.string().nullable(),
    taxableMinor: z.int(),
    taxMinor: z.int(),
    receivedMinor: z.int(),
    tdsMinor: z.int(),
    balanceMinor: z.int(),
    balance: z.string(),
    bookingId: Id.nullable(),
  })
  .meta({ ...component('EventInvoice', 'An invoice in an event.'), fields: DOCUMENT_FIELDS })
export const QuotationInEvent = z.object(common).meta({
  ...component('EventQuotation', 'A quotation in an event.'),
  fields: DOCUMENT_FIELDS,
})

const PaymentInEvent = z
  .object({
    id: Id,
    receiptNumber: z.string(),
    amountMinor: z.int(),
    amount: z.string(),
    tdsMinor: z.int(),
    currency: z.string(),
    paidOn: z.string(),
    method: z.string(),
    reference: z.string().nullable(),
    source: z.enum(['manual', 'gateway']),
  })
  .meta({ ...component('EventPayment', 'A payment in an event.'), fields: PAYMENT_FIELDS })

const customer = {
  contactId: '01970f3e-8a6b-7c1d-9e2f-3a4b5c6d7e91',
  name: 'Asha Rao',
  phone: '+919812345678',
  email: 'asha@example.com',
}
const AT = '2026-06-01T09:30:00.000Z'
const invoice = {
  id: '01970f3e-8a6b-7c1d-9e2f-3a4b5c6d7e8f',
  kind: 'invoice' as const,
  number: 'INV/26-27/0001',
  status: 'issued',
  version: 1,
  issueDate: '2026-06-01',
  dueDate: '2026-06-15',
  validUntil: null,
  currency: 'INR',
  taxableMinor: 220_000,
  taxMinor: 11_000,
  totalMinor: 231_000,
  receivedMinor: 0,
  tdsMinor: 0,
  balanceMinor: 231_000,
  total: '₹2,310.00',
  balance: '₹2,310.00',
  customer,
  url: null,
  bookingId: null,
}
const paidInvoice = { ...invoice, status: 'paid', receivedMinor: 231_000, balanceMinor: 0, balance: '₹0.00' }
const payment = {
  id: '01970f3e-8a6b-7c1d-9e2f-3a4b5c6d7e92',
  receiptNumber: 'RCT/26-27/0001',
  amountMinor: 231_000,
  amount: '₹2,310.00',
  tdsMinor: 0,
  currency: 'INR',
  paidOn: '2026-06-01',
  method: 'upi',
  reference: '512345678901',
  source: 'manual' as const,
}
const quotation = {
  id: '01970f3e-8a6b-7c1d-9e2f-3a4b5c6d7e93',
  number: 'QTN/26-27/0001',
  status: 'accepted',
  version: 1,
  issueDate: '2026-06-01',
  validUntil: '2026-06-15',
  currency: 'INR',
  totalMinor: 231_000,
  total: '₹2,310.00',
  customer,
  url: null,
}

const ofInvoice = {
  scope: 'invoicing:read',
  adminOnly: true,
  touches: ({ invoice }: { invoice?: { id: string } }) => ({ salesDocument: invoice?.id }),
} as const
const ofQuotation = {
  scope: 'invoicing:read',
  adminOnly: true,
  touches: ({ quotation }: { quotation?: { id: string } }) => ({ salesDocument: quotation?.id }),
} as const

const INVOICE_EVENT_FIELDS = {
  invoice: 'The invoice after the change.',
  quotation: 'The quotation after the change.',
  payment: 'The payment.',
  changed: 'Names of the changed fields.',
  recordedAt: 'When it was recorded, in UTC.',
  paymentId: 'Id of the payment that completed it.',
  reason: 'Reason for voiding it; null without one.',
  issuedAt: 'When it was issued, in UTC.',
  acceptedBy: 'Whether the customer or your team accepted it.',
}

export const invoiceIssued = event({
  ...ofInvoice,
  name: 'invoice.issued',
  when: 'An invoice or proforma invoice was issued: totals only, no lines. Once per document. An invoice from a proforma invoice names it in `fromProforma`; if the proforma was paid, the invoice is already paid. The receipt for the advance of a booking is a proforma with a `bookingId`. The later invoice that takes over its payment has the same `bookingId`.',
  data: z
    .object({
      invoice: InvoiceInEvent,
      fromProforma: z.object({ id: Id, number: z.string() }).nullable(),
      issuedAt: Instant,
    })
    .meta({ fields: INVOICE_EVENT_FIELDS }),
  example: {
    invoice,
    fromProforma: { id: '01970f3e-8a6b-7c1d-9e2f-3a4b5c6d7e94', number: 'PRO/26-27/0007' },
    issuedAt: AT,
  },
})

export const invoiceUpdated = event({
  ...ofInvoice,
  name: 'invoice.updated',
  when: 'An issued document was revised: the same number, a new `version`. `changed` lists the changed fields, never their values.',
  data: z
    .object({
      invoice: InvoiceInEvent,
      changed: z.array(
        z.enum([
          'customer',
          'lines',
          'tax',
          'total',
          'due_date',
          'valid_until',
          'notes',
          'terms',
          'reference',
        ]),
      ),
      updatedAt: Instant,
    })
    .meta({ fields: INVOICE_EVENT_FIELDS }),
  example: { invoice: { ...invoice, version: 2 }, changed: ['lines', 'tax', 'total'], updatedAt: AT },
})

export const invoicePaymentRecorded = event({
  ...ofInvoice,
  name: 'invoice.payment_recorded',
  when: 'A person or a payment gateway recorded a payment. Once per payment.',
  data: z
    .object({ payment: PaymentInEvent, invoice: InvoiceInEvent, recordedAt: Instant })
    .meta({ fields: INVOICE_EVENT_FIELDS }),
  example: { payment, invoice: paidInvoice, recordedAt: AT },
})

export const invoicePaid = event({
  ...ofInvoice,
  name: 'invoice.paid',
  when: 'A document was paid in full by its last payment. It is sent again if a payment is voided and the balance is paid later.',
  data: z
    .object({ invoice: InvoiceInEvent, paymentId: Id, paidAt: Instant })
    .meta({ fields: INVOICE_EVENT_FIELDS }),
  example: { invoice: paidInvoice, paymentId: payment.id, paidAt: AT },
})

export const invoicePaymentVoided = event({
  ...ofInvoice,
  name: 'invoice.payment_voided',
  when: 'A payment was voided. Its receipt keeps its number. `reason` comes from the person who voided it.',
  data: z
    .object({ payment: PaymentInEvent, invoice: InvoiceInEvent, reason: z.string(), voidedAt: Instant })
    .meta({ fields: INVOICE_EVENT_FIELDS }),
  example: { payment, invoice, reason: 'The cheque bounced.', voidedAt: AT },
})

export const invoiceCancelled = event({
  ...ofInvoice,
  name: 'invoice.cancelled',
  when: 'A document was canceled. It keeps its number.',
  data: z
    .object({ invoice: InvoiceInEvent, reason: z.string(), cancelledAt: Instant })
    .meta({ fields: INVOICE_EVENT_FIELDS }),
  example: { invoice: { ...invoice, status: 'cancelled' }, reason: 'Issued twice.', cancelledAt: AT },
})

export const quotationAccepted = event({
  ...ofQuotation,
  name: 'quotation.accepted',
  when: 'The customer or your team accepted a quotation. It is sent again when a revised quotation is accepted.',
  data: z
    .object({
      quotation: QuotationInEvent,
      acceptedBy: z.enum(['customer', 'staff']),
      acceptedAt: Instant,
    })
    .meta({ fields: INVOICE_EVENT_FIELDS }),
  example: { quotation, acceptedBy: 'customer', acceptedAt: AT },
})

export const quotationDeclined = event({
  ...ofQuotation,
  name: 'quotation.declined',
  when: 'A quotation was declined. `reason` is the text of the reason, if there is one.',
  data: z
    .object({ quotation: QuotationInEvent, reason: z.string().nullable(), declinedAt: Instant })
    .meta({ fields: INVOICE_EVENT_FIELDS }),
  example: { quotation: { ...quotation, status: 'declined' }, reason: 'Too late for us.', declinedAt: AT },
})
