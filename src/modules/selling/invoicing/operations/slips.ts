/** Receipts and credit notes for printing. */
import type { Context } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { isUuid } from '../../../../core/ids.ts'
import { type DocumentView, METHOD_TEXTS, taxName } from '../pages/document-view.ts'
import { slipView } from '../pages/slip-view.ts'
import { listPaymentRows, type PaymentRow } from '../queries/documents.ts'
import { readCreditNote } from './credit-notes.ts'
import { getDocument, INVOICES } from './find-document.ts'
import { sourceOf } from './shown-document.ts'

/** Returns a payment of a document. */
export async function readPayment(ctx: Context, id: string, paymentId: string): Promise<PaymentRow> {
  const { id: documentId } = await getDocument(ctx, id, INVOICES)
  const found = isUuid(paymentId)
    ? (await listPaymentRows(ctx, [documentId])).find((payment) => payment.id === paymentId.toLowerCase())
    : undefined
  return found ?? refuse('not_found', 'Payment not found. See GET /sales-invoices/{id}.')
}

/** Returns the receipt of a payment. */
export async function readReceipt(ctx: Context, id: string, paymentId: string): Promise<DocumentView> {
  const payment = await readPayment(ctx, id, paymentId)
  const source = await sourceOf(ctx, await getDocument(ctx, id, INVOICES))
  const method = METHOD_TEXTS[payment.method]!
  return slipView(source, {
    heading: 'Receipt',
    number: payment.receiptNumber,
    stamp: payment.voidedAt === null ? null : { text: 'Void', tone: 'bad' },
    day: payment.paidOn,
    facts: [
      ['Method', method],
      ...(payment.reference === null ? [] : [['Reference', payment.reference] as [string, string]]),
    ],
    description: `Received for ${source.document.number}`,
    parts: [
      ['Received', payment.amountMinor],
      ['Tax deducted at source', payment.tdsMinor],
    ],
    sum: ['Settled', payment.amountMinor + payment.tdsMinor],
  })
}

/** Returns a credit note for printing. */
export async function readPrintedNote(ctx: Context, id: string, noteId: string): Promise<DocumentView> {
  const { document, note } = await readCreditNote(ctx, id, noteId)
  const source = await sourceOf(ctx, document)
  const tax = (name: string): string => taxName(source.document, name)
  return slipView(source, {
    heading: 'Credit note',
    number: note.number,
    stamp: null,
    day: note.issueDate,
    facts: [],
    description: note.reason,
    parts: [
      ['Taxable value', note.taxableMinor],
      [tax('CGST'), note.cgstMinor],
      [tax(source.document.stateTax), note.sgstMinor],
      [tax('IGST'), note.igstMinor],
      [tax('Cess'), note.cessMinor],
    ],
    sum: ['Credited', note.amountMinor],
  })
}
