import { z } from 'zod'
import { component } from '../../../core/component.ts'
import { customerEmail, customerName, customerPage, customerPhone } from '../../../core/customer-details.ts'
import { Id } from '../../../core/ids.ts'
import { cursorQuery } from '../../../core/paging.ts'
import { Instant } from '../../../core/values/text.ts'
import { nullableText, requiredText, SearchText } from '../../messaging/contacts/schema.ts'
import { Email } from '../crm/schema.ts'
import { Line, ReckonedLine } from './line-schema.ts'
import { Payment } from './payment-schema.ts'
import { isPlaceOfSupply } from './reckoning/states.ts'
import { SUPPLY_TYPES } from './reckoning/totals.ts'
import { Address, AddressShown, Day, Gstin, SellerShown } from './settings-schema.ts'

export const KINDS = ['invoice', 'proforma'] as const
/**
 * A voucher is the receipt of an advance. For clients it is a proforma whose `documentType` is
 * receipt_voucher.
 */
export type DocumentKind = (typeof KINDS)[number] | 'quotation' | 'voucher'
export const INVOICE_STATUSES = [
  'draft',
  'issued',
  'partially_paid',
  'paid',
  'cancelled',
  'converted',
] as const
export const QUOTATION_STATUSES = ['draft', 'issued', 'accepted', 'declined', 'expired', 'cancelled'] as const

export const Customer = z
  .strictObject({
    name: nullableText(200).optional(),
    phone: nullableText(40).optional().meta({ description: 'A phone number in any common spelling.' }),
    email: nullableText(254)
      .refine((email) => email === null || Email.safeParse(email).success, 'Must be an email address.')
      .optional(),
    gstin: Gstin.nullable().optional(),
    billingAddress: Address.nullable().optional(),
    shippingAddress: Address.nullable().optional(),
  })
  .meta(component('SalesCustomerInput', 'The customer of a new document.'))
export type Customer = z.output<typeof Customer>

const fields = {
  customer: Customer.optional().meta({
    description: 'The customer. Omitted fields are taken from the contact.',
  }),
  placeOfSupply: z
    .string()
    .refine(isPlaceOfSupply, 'Must be a GST state code, or 96 for abroad.')
    .nullable()
    .optional()
    .meta({ example: '27' }),
  supplyType: z.enum(SUPPLY_TYPES).optional(),
  reverseCharge: z.boolean().optional(),
  dueDate: Day.nullable().optional(),
  validUntil: Day.nullable().optional(),
  reference: nullableText(64).optional(),
  notes: nullableText(2000).optional(),
  terms: nullableText(2000).optional(),
}
const lines = z.array(Line).min(1, 'Must have at least 1 line.').max(100, 'Must have at most 100 lines.')
const draftFields = {
  ...fields,
  contactId: Id.nullable().optional(),
  issueDate: Day.nullable()
    .optional()
    .meta({ description: 'Date on the document. Default: today. Only an admin can set an earlier day.' }),
}

export const DOCUMENT_FIELDS = {
  creditedMinor: 'Amount of its credit notes, in the smallest unit of the currency.',
  fromQuotation: 'Quotation that the invoice was made from; null for none.',
  overdue: 'Whether it is past its due date and not fully paid.',
  payments: 'Payments, oldest first.',
  acceptedBy: 'Whether the customer or your team accepted it; null if it was not accepted.',
  declineReason: 'Why the customer declined it; null without a reason.',
  invoiceId: 'Id of the invoice from the quotation; null for none.',
  contactId: 'Id of the contact; null for none.',
  number: 'Number of the document; null for a draft.',
  customer: 'Customer of the document.',
  'customer.name': 'Name of the customer; null if unknown.',
  'customer.billingAddress.state': 'State; in India by its name or its GST code.',
  'customer.shippingAddress.state': 'State; in India by its name or its GST code.',
  'customer.email': 'Email address of the customer; null if unknown.',
  reference: 'Your own reference, such as an order number; null for none.',
  'lines.description': 'Product or service.',
  total: 'Total with tax as text, such as `₹2,310.00`.',
  notes: 'Notes printed on the document; null for none.',
  issuedAt: 'When it was issued, in UTC; null for a draft.',
  kind: 'Whether it is an invoice or a proforma invoice.',
  status: 'State of the document.',
  bookingId: 'Id of the booking that it is for; null for none.',
  url: 'Page of the document for the customer; null for none.',
  issue: 'Whether to issue the document immediately.',
  documentType: 'Type that the document would have.',
}

/** Body of `POST /sales-invoices`. */
export const NewInvoice = z
  .strictObject({
    ...draftFields,
    kind: z.enum(KINDS).default('invoice'),
    lines,
    issue: z.boolean().default(false).meta({ description: 'Whether to issue the document immediately.' }),
  })
  .meta({ fields: DOCUMENT_FIELDS })
export const NewQuotation = z
  .strictObject({ ...draftFields, lines, issue: z.boolean().default(false) })
  .meta({ fields: DOCUMENT_FIELDS })
/** Body of `POST /sales-invoices/preview`. */
export const Preview = z
  .strictObject({
    ...draftFields,
    kind: z.enum([...KINDS, 'quotation']).default('invoice'),
    lines,
    documentId: Id.optional().meta({
      description:
        'Id of the document to change. Omitted place of supply, kind of supply, and reverse charge are taken from it. For an issued document, the seller and rules from its issue apply.',
    }),
  })
  .meta({ fields: DOCUMENT_FIELDS })
export type Preview = z.output<typeof Preview>
/** Body of `PATCH`: the fields to change. */
export const DraftPatch = z
  .strictObject({ ...draftFields, lines: lines.optional() })
  .meta({ fields: DOCUMENT_FIELDS })
export type DraftPatch = z.output<typeof DraftPatch>
/** Body of `revise`: the fields to change in the next version. */
export const Revision = z
  .strictObject({ ...fields, lines: lines.optional() })
  .meta({ fields: DOCUMENT_FIELDS })
export type Revision = z.output<typeof Revision>

export const Reason = z
  .strictObject({ reason: requiredText(500) })
  .meta({ fields: { reason: 'The reason. Only your team sees it.' } })
export const Acceptance = z.strictObject({
  version: z.int().min(1).optional().meta({
    description: 'Version that the customer saw. Any other version than the current one returns `conflict`.',
  }),
})
export const Declining = z
  .strictObject({ ...Acceptance.shape, reason: nullableText(500).optional() })
  .meta({ fields: { reason: 'Why the customer declined; null without a reason.' } })
/** The form data of a quotation's page. */
export const PageAnswer = z.object({
  answer: z.enum(['accept', 'decline']),
  version: z
    .string()
    .regex(/^[1-9][0-9]{0,8}$/)
    .transform(Number),
  reason: nullableText(500).optional(),
})
export const Conversion = z
  .strictObject({
    kind: z.enum(KINDS).default('invoice'),
    issue: z.boolean().default(false),
  })
  .meta({
    fields: {
      kind: 'Whether to create an invoice or a proforma invoice.',
      issue: 'Whether to issue the document immediately.',
    },
  })
/** Query for the print format of a receipt or a credit note. */
export const PrintQuery = z
  .object({ format: z.enum(['json', 'html', 'pdf']).default('json') })
  .meta({ fields: { format: '`json` for the data, `html` for a page to read and print, `pdf` for a file.' } })

/** Body of `send`. */
export const SendDocument = z
  .strictObject({
    via: z.enum(['chat', 'email', 'link']),
    to: nullableText(254).optional().meta({
      description:
        'Phone number, `chan:<user id>`, `contact:<id>`, or email address. Default: the recipient in the document.',
    }),
    templateId: nullableText(64).optional().meta({
      description: 'Id of the template that is sent if the 24-hour window is closed.',
    }),
    message: nullableText(1000)
      .optional()
      .meta({ description: 'Text that goes with the file, or into the email.' }),
  })
  .meta({ fields: { via: 'How to send it. `link` only returns the address.' } })
export type SendDocument = z.output<typeof SendDocument>
export const SentDocument = z
  .object({ messageId: Id.nullable(), url: customerPage(z.string().nullable()) })
  .meta({
    fields: {
      messageId: 'Id of the message; null unless it was sent in the chat.',
      url: "Page of the document for the customer; null if customers' numbers are hidden from you.",
    },
  })

const Source = z.object({ id: Id, number: z.string() })

/** The customer of a document, as it shows them. */
export const DocumentCustomer = z
  .object({
    name: customerName(z.string()).nullable(),
    phone: customerPhone(z.string()).nullable(),
    email: customerEmail(z.string()).nullable(),
    gstin: z.string().nullable(),
    billingAddress: AddressShown.nullable(),
    shippingAddress: AddressShown.nullable(),
  })
  .meta(component('SalesCustomer', 'The customer of a document.'))

const documentFields = {
  id: Id,
  number: z.string().nullable().meta({ description: 'Number of the quotation; null until it is issued.' }),
  version: z.int(),
  contactId: Id.nullable(),
  customer: DocumentCustomer,
  placeOfSupply: z.string().nullable(),
  supplyType: z.enum(SUPPLY_TYPES),
  reverseCharge: z.boolean(),
  stateTax: z
    .enum(['SGST', 'UTGST'])
    .meta({ description: 'Name of the tax in `sgstMinor` at the place of supply.' }),
  issueDate: z.string().nullable(),
  validUntil: z.string().nullable(),
  reference: z.string().nullable(),
  currency: z.string(),
  lines: z.array(ReckonedLine),
  taxableMinor: z.int(),
  cgstMinor: z.int(),
  sgstMinor: z.int(),
  igstMinor: z.int(),
  cessMinor: z.int(),
  taxMinor: z.int(),
  roundOffMinor: z.int(),
  totalMinor: z.int(),
  total: z.string(),
  notes: z.string().nullable(),
  terms: z.string().nullable(),
  url: customerPage(z.string().nullable()).meta({
    description:
      "Address of the customer's page; null in a draft, after the customer was erased, and if customers' numbers are hidden from you.",
  }),
  createdAt: Instant,
  issuedAt: Instant.nullable(),
  sentAt: Instant.nullable(),
  cancelledAt: Instant.nullable(),
  cancelReason: z.string().nullable(),
}

export const SalesInvoice = z
  .object({
    ...documentFields,
    kind: z.enum(KINDS),
    documentType: z.enum(['tax_invoice', 'bill_of_supply', 'invoice', 'proforma', 'receipt_voucher']).meta({
      description:
        'Type of the document. `receipt_voucher`: the receipt for the advance of a booking; its `kind` is proforma.',
    }),
    status: z.enum(INVOICE_STATUSES),
    overdue: z.boolean(),
    dueDate: z.string().nullable(),
    receivedMinor: z.int(),
    tdsMinor: z.int(),
    creditedMinor: z.int(),
    balanceMinor: z.int(),
    balance: z.string(),
    fromProforma: Source.nullable(),
    fromQuotation: Source.nullable(),
    invoiceId: Id.nullable().meta({
      description: 'Id of the invoice from a proforma invoice or receipt voucher; null for none.',
    }),
    bookingId: Id.nullable(),
    payments: z.array(Payment),
    paidAt: Instant.nullable(),
  })
  .meta({ id: 'SalesInvoice', description: 'An invoice or a proforma invoice.', fields: DOCUMENT_FIELDS })

/** An invoice in short, in lists about a customer. */
export const InvoiceSummary = SalesInvoice.pick({
  id: true,
  number: true,
  kind: true,
  status: true,
  overdue: true,
  issueDate: true,
  dueDate: true,
  currency: true,
  totalMinor: true,
  total: true,
  balanceMinor: true,
  balance: true,
  createdAt: true,
}).meta({
  id: 'InvoiceSummary',
  description: 'An invoice or a proforma invoice, in short.',
  fields: DOCUMENT_FIELDS,
})

export const Quotation = z
  .object({
    ...documentFields,
    status: z.enum(QUOTATION_STATUSES),
    acceptedAt: Instant.nullable(),
    acceptedBy: z.enum(['customer', 'staff']).nullable(),
    declinedAt: Instant.nullable(),
    declineReason: z.string().nullable(),
    invoiceId: Id.nullable(),
  })
  .meta({ id: 'Quotation', description: 'A quotation.', fields: DOCUMENT_FIELDS })

/** The totals of a previewed document. */
export const Previewed = z
  .object({
    documentType: z.enum(['tax_invoice', 'bill_of_supply', 'invoice', 'proforma', 'quotation']),
    ...SalesInvoice.pick({
      customer: true,
      placeOfSupply: true,
      reverseCharge: true,
      stateTax: true,
      currency: true,
      lines: true,
      taxableMinor: true,
      cgstMinor: true,
      sgstMinor: true,
      igstMinor: true,
      cessMinor: true,
      taxMinor: true,
      roundOffMinor: true,
      totalMinor: true,
      total: true,
    }).shape,
    seller: SellerShown.nullable().meta({ description: 'The seller who would issue it.' }),
    missing: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .meta({ description: 'Missing data without which the document cannot be issued.' }),
  })
  .meta({ fields: DOCUMENT_FIELDS })

const common = {
  ...cursorQuery,
  contactId: Id.optional(),
  from: Day.optional().meta({ description: 'Only invoices issued on this day or later.' }),
  to: Day.optional().meta({ description: 'Only invoices issued on this day or earlier.' }),
  q: SearchText.optional().meta({
    description: "Part of the number, the customer's name, or the reference.",
  }),
}
export const InvoiceFilter = z
  .object({
    ...common,
    kind: z.enum(KINDS).optional(),
    status: z.enum(INVOICE_STATUSES).optional(),
    overdue: z.enum(['true', 'false']).optional(),
  })
  .meta({
    fields: {
      contactId: 'Only documents of this contact.',
      kind: 'Only invoices, or only proforma invoices.',
      status: 'Only documents in this state.',
      overdue: '`true`: only documents past their due date; `false`: only the others.',
    },
  })
export const QuotationFilter = z.object({ ...common, status: z.enum(QUOTATION_STATUSES).optional() }).meta({
  fields: { contactId: 'Only quotations of this contact.', status: 'Only quotations in this state.' },
})
export const IssuedFilter = z
  .object({
    ...cursorQuery,
    from: common.from,
    to: common.to,
    status: z.enum(['issued', 'partially_paid', 'paid', 'cancelled']).optional(),
  })
  .meta({ fields: { status: 'Only invoices in this state.' } })
const Format = z.enum(['json', 'html', 'pdf']).default('json').meta({
  description: '`json` returns the data, `html` a page to read and print, and `pdf` a file.',
})
export const IssuedQuery = z.object({ format: Format })
export const DocumentQuery = z.object({
  format: Format,
  version: z
    .string()
    .regex(/^[1-9][0-9]{0,8}$/, 'Must be a version, from 1.')
    .transform(Number)
    .optional()
    .meta({ description: 'Number of an earlier version to return.', type: 'integer' }),
})
