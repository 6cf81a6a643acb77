/** Receipts and credit notes for printing. */
import type { Context } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { isUuid } from '../../../../core/ids.ts'
import { type DocumentView, taxName } from '../pages/document-view.ts'
import { slipView } from '../pages/slip-view.ts'
import type { METHODS } from '../payment-schema.ts'
import { listPaymentRows, type PaymentRow } from '../queries/documents.ts'
import { documentTexts } from '../texts/texts.ts'
import { readCreditNote } from './credit-notes.ts'
import { getDocument, INVOICES } from './find-document.ts'
import { sourceFor, sourceOf } from './shown-document.ts'

type Method = (typeof METHODS)[number]

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
  const source = sourceFor(ctx, await sourceOf(ctx, await getDocument(ctx, id, INVOICES)))
  const { t } = documentTexts(source.language)
  return slipView(source, {
    heading: t('heading.receipt'),
    number: payment.receiptNumber,
    stamp: payment.voidedAt === null ? null : { text: t('stamp.void'), tone: 'bad' },
    day: payment.paidOn,
    facts: [
      [t('payments.method'), t(`method.${payment.method as Method}`)],
      ...(payment.reference === null ? [] : [[t('fact.reference'), payment.reference] as [string, string]]),
    ],
    description: t('slip.received', { number: source.document.number! }),
    parts: [
      [t('settled.received'), payment.amountMinor],
      [t('settled.tds'), payment.tdsMinor],
    ],
    sum: [t('slip.settled'), payment.amountMinor + payment.tdsMinor],
  })
}

/** Returns a credit note for printing. */
export async function readPrintedNote(ctx: Context, id: string, noteId: string): Promise<DocumentView> {
  const { document, note } = await readCreditNote(ctx, id, noteId)
  const source = sourceFor(ctx, await sourceOf(ctx, document))
  const { t } = documentTexts(source.language)
  const tax = (name: string): string => taxName(source, name)
  return slipView(source, {
    heading: t('heading.credit_note'),
    number: note.number,
    stamp: null,
    day: note.issueDate,
    facts: [],
    description: note.reason,
    parts: [
      [t('tax.taxable'), note.taxableMinor],
      [tax('CGST'), note.cgstMinor],
      [tax(source.document.stateTax), note.sgstMinor],
      [tax('IGST'), note.igstMinor],
      [tax(t('tax.cess')), note.cessMinor],
    ],
    sum: [t('slip.credited'), note.amountMinor],
  })
}
