import type { z } from 'zod'
import type { Context } from '../../../../core/context.ts'
import { moneyText } from '../../../../core/values/money.ts'
import type { Payment } from '../payment-schema.ts'
import { type DocumentRow, listPaymentRows, type PaymentRow } from '../queries/documents.ts'
import { stateTaxName } from '../reckoning/states.ts'
import type { InvoiceSummary, Quotation, SalesInvoice } from '../schema.ts'
import { todayOf } from './days.ts'

const instant = (time: Date | null): string | null => time?.toISOString() ?? null

export const presentPayment = (row: PaymentRow): z.output<typeof Payment> => ({
  id: row.id,
  receiptNumber: row.receiptNumber,
  amountMinor: row.amountMinor,
  amount: moneyText(row.amountMinor, row.currency),
  tdsMinor: row.tdsMinor,
  currency: row.currency,
  paidOn: row.paidOn,
  method: row.method as z.output<typeof Payment>['method'],
  reference: row.reference,
  source: row.source,
  voidedAt: instant(row.voidedAt),
  voidReason: row.voidReason,
})

/** Returns the customer's link to a document; null for a draft, and if the customer was erased. */
export const linkOf = (
  { siteUrl }: Pick<Context, 'siteUrl'>,
  { kind, publicToken }: Pick<DocumentRow, 'kind' | 'publicToken'>,
): string | null =>
  publicToken === null ? null : `${siteUrl}/${kind === 'quotation' ? 'q' : 'i'}/${publicToken}`

const sharedFields = (ctx: Context, row: DocumentRow) => ({
  id: row.id,
  number: row.number,
  version: row.version,
  contactId: row.contactId,
  customer: row.customer,
  placeOfSupply: row.placeOfSupply,
  supplyType: row.supplyType,
  reverseCharge: row.reverseCharge,
  stateTax: stateTaxName(row.placeOfSupply ?? ''),
  issueDate: row.issueDate,
  validUntil: row.validUntil,
  reference: row.reference,
  currency: row.currency,
  lines: row.lines.map((line) => ({ ...line, hsn: line.hsn ?? null })),
  taxableMinor: row.taxableMinor,
  cgstMinor: row.cgstMinor,
  sgstMinor: row.sgstMinor,
  igstMinor: row.igstMinor,
  cessMinor: row.cessMinor,
  taxMinor: row.taxMinor,
  roundOffMinor: row.roundOffMinor,
  totalMinor: row.totalMinor,
  total: moneyText(row.totalMinor, row.currency),
  notes: row.notes,
  terms: row.terms,
  url: linkOf(ctx, row),
  createdAt: row.createdAt.toISOString(),
  issuedAt: instant(row.issuedAt),
  sentAt: instant(row.sentAt),
  cancelledAt: instant(row.cancelledAt),
  cancelReason: row.cancelReason,
})

/**
 * Returns the kind for clients: an advance is a proforma, because it is received before anything is invoiced.
 */
export const shownKind = ({ kind }: DocumentRow): 'invoice' | 'proforma' =>
  kind === 'invoice' ? 'invoice' : 'proforma'

const isOpen = ({ status }: DocumentRow): boolean => status === 'issued' || status === 'partially_paid'

const isOverdue = (ctx: Context, row: DocumentRow): boolean =>
  isOpen(row) && row.dueDate !== null && row.dueDate < todayOf(ctx) && row.balanceMinor > 0

/** Returns an invoice in short, without its lines. */
export const summarizeInvoice = (ctx: Context, row: DocumentRow): z.output<typeof InvoiceSummary> => ({
  id: row.id,
  number: row.number,
  kind: shownKind(row),
  status: row.status as z.output<typeof SalesInvoice>['status'],
  overdue: isOverdue(ctx, row),
  issueDate: row.issueDate,
  dueDate: row.dueDate,
  currency: row.currency,
  totalMinor: row.totalMinor,
  total: moneyText(row.totalMinor, row.currency),
  balanceMinor: row.balanceMinor,
  balance: moneyText(row.balanceMinor, row.currency),
  createdAt: row.createdAt.toISOString(),
})

const presentInvoice = (
  ctx: Context,
  row: DocumentRow,
  payments: PaymentRow[],
): z.output<typeof SalesInvoice> => ({
  ...sharedFields(ctx, row),
  kind: shownKind(row),
  documentType: row.documentType as z.output<typeof SalesInvoice>['documentType'],
  status: row.status as z.output<typeof SalesInvoice>['status'],
  overdue: isOverdue(ctx, row),
  dueDate: row.dueDate,
  receivedMinor: row.receivedMinor,
  tdsMinor: row.tdsMinor,
  creditedMinor: row.creditedMinor,
  balanceMinor: row.balanceMinor,
  balance: moneyText(row.balanceMinor, row.currency),
  fromProforma: row.fromProforma,
  fromQuotation: row.fromQuotation,
  invoiceId: row.invoiceId,
  bookingId: row.bookingId,
  payments: payments.map(presentPayment),
  paidAt: instant(row.paidAt),
})

/** Returns documents in the form for responses, with their payments. */
export async function presentInvoices(ctx: Context, rows: DocumentRow[]) {
  const payments =
    rows.length === 0
      ? []
      : await listPaymentRows(
          ctx,
          rows.map((row) => row.id),
        )
  const byDocument = Map.groupBy(payments, (payment) => payment.documentId)
  return rows.map((row) => presentInvoice(ctx, row, byDocument.get(row.id) ?? []))
}
export const presentOneInvoice = async (ctx: Context, row: DocumentRow) =>
  (await presentInvoices(ctx, [row]))[0]!

/** Returns whether the last day of an unanswered quotation is over. */
export const isExpired = (row: DocumentRow, today: string): boolean =>
  row.status === 'issued' && row.validUntil !== null && row.validUntil < today

export const presentQuotation = (ctx: Context, row: DocumentRow): z.output<typeof Quotation> => ({
  ...sharedFields(ctx, row),
  status: isExpired(row, todayOf(ctx)) ? 'expired' : (row.status as z.output<typeof Quotation>['status']),
  acceptedAt: instant(row.acceptedAt),
  acceptedBy: row.acceptedBy,
  declinedAt: instant(row.declinedAt),
  declineReason: row.declineReason,
  invoiceId: row.invoiceId,
})
