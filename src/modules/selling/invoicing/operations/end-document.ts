/** Cancels documents, and converts them into others. */
import type { Context } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import { moneyText } from '../../../../core/values/money.ts'
import { invoiceCancelled } from '../events.ts'
import { type DocumentRow, movePaymentRows, updateDocumentRow } from '../queries/documents.ts'
import type { DocumentKind } from '../schema.ts'
import { addToStory, announce, invoiceInEvent } from './announce.ts'
import type { Parts } from './compose.ts'
import { todayOf } from './days.ts'
import { insertDraft } from './drafts.ts'
import { endOtherPayLink } from './end-pay-link.ts'
import { holdDocument, INVOICES, QUOTATIONS } from './find-document.ts'
import { issueHeld } from './issue.ts'
import { refuseLocked } from './locked-books.ts'
import { isExpired } from './present.ts'
import { basisOf, holdSettings, withDocumentRules } from './settings.ts'
import { settledAs } from './settled-as.ts'

/** Cancels an issued document. It keeps its number. */
export async function cancelDocument(
  ctx: Context,
  id: string,
  reason: string,
  kinds: readonly DocumentKind[],
): Promise<DocumentRow> {
  const { booksLockedUntil } = await holdSettings(ctx)
  const { document, lead } = await holdDocument(ctx, id, kinds)
  const { status, number } = document
  if (status === 'draft') refuse('conflict', "A draft can't be canceled. Delete it.")
  if (status === 'cancelled' || status === 'converted' || document.invoiceId !== null)
    refuse('conflict', `${number} is ${status === 'cancelled' ? 'already canceled' : 'converted'}.`)
  if (document.receivedMinor + document.tdsMinor > 0)
    refuse('conflict', `${number} has payments. Void them first.`)
  if (document.creditedMinor > 0) refuse('conflict', `${number} has credit notes and can't be canceled.`)
  refuseLocked(document.issueDate, booksLockedUntil)
  const cancelledDocument = await updateDocumentRow(ctx, document.id, {
    status: 'cancelled',
    cancelReason: reason,
    cancelledAt: ctx.now,
  })
  await endOtherPayLink(ctx, cancelledDocument)
  await addToStory(ctx, { document: cancelledDocument, lead }, `${cancelledDocument.kind}_cancelled`)
  if (cancelledDocument.kind === 'quotation') touch(ctx, { salesDocument: cancelledDocument.id })
  else
    announce(
      ctx,
      invoiceCancelled,
      { invoice: invoiceInEvent(ctx, cancelledDocument), reason, cancelledAt: ctx.now.toISOString() },
      cancelledDocument,
    )
  return cancelledDocument
}

/**
 * Refuses an invoice whose total differs from the total that the customer saw, because seller or tax scheme
 * have changed.
 */
function refuseOtherTotal(before: DocumentRow, invoice: DocumentRow, wayOut: string): void {
  if (invoice.totalMinor === before.totalMinor) return
  const [oldTotal, newTotal] = [before, invoice].map((row) => moneyText(row.totalMinor, row.currency))
  refuse(
    'conflict',
    `${before.number} comes to ${oldTotal}, but with your current seller and tax settings the invoice comes to ${newTotal}. ${wayOut}`,
  )
}

/** Returns the parts that a new document copies from another. */
const partsOf = (row: DocumentRow, kind: DocumentKind) => ({
  ...row,
  kind,
  issueDate: null,
  dueDate: null,
  validUntil: null,
})

/**
 * Makes an issued invoice from a proforma, or from the receipt of an advance. Its payments move with their
 * receipts, so that money counts once. `lines`: the invoiced lines, if the advance paid for a larger sale.
 */
export async function convertProforma(
  ctx: Context,
  id: string,
  lines?: Parts['lines'],
): Promise<DocumentRow> {
  const settings = await holdSettings(ctx)
  const { document, lead } = await holdDocument(ctx, id, INVOICES)
  const { id: from, number, status, receivedMinor, tdsMinor, creditedMinor } = document
  if (document.kind === 'invoice')
    refuse('conflict', 'This is already an invoice. Only a proforma or a receipt voucher can be converted.')
  if (status === 'draft' || status === 'cancelled' || status === 'converted')
    refuse('conflict', `${number ?? 'The proforma'} is ${status}. There is nothing to convert.`)
  const rules = lines === undefined ? withDocumentRules(document.basis, settings) : settings
  const parts = { ...partsOf(document, 'invoice'), lines: lines ?? document.lines }
  const draft = await insertDraft(ctx, parts, rules, {
    fromProforma: { id: from, number: number! },
    fromQuotation: document.fromQuotation,
    bookingId: document.bookingId,
    basis: basisOf(rules),
  })
  if (lines === undefined) refuseOtherTotal(document, draft, 'Cancel it, and issue a new invoice.')
  const sums = { receivedMinor, tdsMinor, creditedMinor }
  if (draft.totalMinor < receivedMinor + tdsMinor + creditedMinor)
    refuse(
      'conflict',
      "The payments are more than the invoice's total with your current settings. Void a payment first.",
    )
  const newStatus = settledAs({ ...draft, ...sums })
  const invoice = await issueHeld(ctx, { document: draft, lead }, rules, {
    ...sums,
    status: newStatus,
    paidAt: newStatus === 'paid' ? ctx.now : null,
  })
  await movePaymentRows(ctx, from, invoice.id)
  const convertedDocument = await updateDocumentRow(ctx, from, {
    status: 'converted',
    invoiceId: invoice.id,
    receivedMinor: 0,
    tdsMinor: 0,
    creditedMinor: 0,
  })
  await endOtherPayLink(ctx, convertedDocument)
  touch(ctx, { salesDocument: from })
  return invoice
}

/** Makes an invoice or a proforma from a quotation, once. */
export async function convertQuotation(
  ctx: Context,
  id: string,
  { kind, issue }: { kind: 'invoice' | 'proforma'; issue: boolean },
): Promise<DocumentRow> {
  const settings = await holdSettings(ctx)
  const { document, lead } = await holdDocument(ctx, id, QUOTATIONS)
  const { number, status } = document
  if (document.invoiceId !== null) refuse('conflict', `${number} was already converted.`)
  if ((status !== 'issued' && status !== 'accepted') || isExpired(document, todayOf(ctx)))
    refuse('conflict', `${number ?? 'The quotation'} isn't issued or accepted. Issue or revise it first.`)
  const rules = withDocumentRules(document.basis, settings)
  const draft = await insertDraft(ctx, partsOf(document, kind), rules, {
    fromQuotation: { id: document.id, number: number! },
    basis: basisOf(rules),
  })
  if (issue) refuseOtherTotal(document, draft, 'Convert it without `issue`, and check the draft.')
  await updateDocumentRow(ctx, document.id, { invoiceId: draft.id })
  touch(ctx, { salesDocument: document.id })
  return issue ? issueHeld(ctx, { document: draft, lead }, settings) : draft
}
