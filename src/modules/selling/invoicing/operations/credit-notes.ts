/**
 * Credit notes: deductions from an issued invoice. The invoice stays unchanged, and its balance decreases.
 */
import type { z } from 'zod'
import type { Context } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { isUuid, newId } from '../../../../core/ids.ts'
import { moneyText } from '../../../../core/values/money.ts'
import type { CreditNote, NewCreditNote } from '../credit-note-schema.ts'
import { invoiceUpdated } from '../events.ts'
import { type CreditNoteRow, insertCreditNote, listCreditNotes } from '../queries/credit-notes.ts'
import { type DocumentRow, listPaymentRows, updateDocumentRow } from '../queries/documents.ts'
import { creditShares, type RemainingAmounts } from '../reckoning/credit-shares.ts'
import type { Amounts } from '../reckoning/totals.ts'
import { addToStory, announce, invoiceInEvent } from './announce.ts'
import { todayOf } from './days.ts'
import { endOtherPayLink } from './end-pay-link.ts'
import { getDocument, holdDocument } from './find-document.ts'
import { numberOf, refuseLong } from './issue.ts'
import { refuseLocked } from './locked-books.ts'
import { announcePaid } from './payments.ts'
import { holdSettings } from './settings.ts'
import { settledAs } from './settled-as.ts'

const INVOICE = ['invoice'] as const

export function presentCreditNote(row: CreditNoteRow, currency: string): z.output<typeof CreditNote> {
  const { workspaceId: _, documentId: __, financialYear: ___, createdAt, ...columns } = row
  return {
    ...columns,
    amount: moneyText(row.amountMinor, currency),
    createdAt: createdAt.toISOString(),
  }
}

/** Returns the remaining amounts after earlier notes. The round-off is part of the taxable amount. */
function leftOf(document: DocumentRow, notes: CreditNoteRow[]): RemainingAmounts {
  const leftOf = (field: keyof Amounts): number =>
    notes.reduce((left, note) => left - note[field], document[field])
  return {
    taxableMinor: leftOf('taxableMinor') + document.roundOffMinor,
    cgstMinor: leftOf('cgstMinor'),
    sgstMinor: leftOf('sgstMinor'),
    igstMinor: leftOf('igstMinor'),
    cessMinor: leftOf('cessMinor'),
    totalMinor: document.totalMinor - document.creditedMinor,
    reverseCharge: document.reverseCharge,
  }
}

function refuseClosed(document: DocumentRow, amountMinor: number): void {
  const { status, number, totalMinor, creditedMinor, currency } = document
  if (status === 'draft' || status === 'cancelled')
    refuse('conflict', `${number ?? 'A draft'} is ${status}. There is nothing to credit.`)
  if (amountMinor > totalMinor - creditedMinor)
    refuse('conflict', `You can credit at most ${moneyText(totalMinor - creditedMinor, currency)}.`)
}

/** Issues a credit note on an issued invoice. On a paid invoice, the balance becomes negative. */
export async function issueCreditNote(ctx: Context, id: string, { amountMinor, reason }: NewCreditNote) {
  const settings = await holdSettings(ctx)
  const { document, lead } = await holdDocument(ctx, id, INVOICE)
  refuseClosed(document, amountMinor)
  const issueDate = todayOf(ctx)
  refuseLocked(issueDate, settings.booksLockedUntil)
  const numberColumns = await numberOf(ctx, 'creditNote', issueDate, settings)
  refuseLong(numberColumns.number)
  const left = leftOf(document, await listCreditNotes(ctx, document.id))
  const note: CreditNoteRow = {
    workspaceId: ctx.workspace.id,
    id: newId(),
    documentId: document.id,
    ...numberColumns,
    issueDate,
    amountMinor,
    ...creditShares(left, amountMinor),
    reason,
    createdAt: ctx.now,
  }
  await insertCreditNote(ctx, note)
  const creditedMinor = document.creditedMinor + amountMinor
  const status = settledAs({ ...document, creditedMinor })
  const creditedInvoice = await updateDocumentRow(ctx, document.id, {
    creditedMinor,
    status,
    paidAt: status === 'paid' ? (document.paidAt ?? ctx.now) : null,
  })
  await endOtherPayLink(ctx, creditedInvoice)
  await addToStory(ctx, { document: creditedInvoice, lead }, 'credit_note_issued', {
    creditNote: note.number,
    amountMinor,
  })
  announce(
    ctx,
    invoiceUpdated,
    { invoice: invoiceInEvent(ctx, creditedInvoice), changed: ['total'], updatedAt: ctx.now.toISOString() },
    creditedInvoice,
  )
  if (status === 'paid' && document.status !== 'paid') {
    const last = (await listPaymentRows(ctx, [document.id])).findLast((payment) => payment.voidedAt === null)
    if (last) announcePaid(ctx, creditedInvoice, last.id)
  }
  return { note, document: creditedInvoice }
}

/** Returns the credit notes of an invoice, oldest first. */
export async function readCreditNotes(ctx: Context, id: string) {
  const document = await getDocument(ctx, id, INVOICE)
  return { document, notes: await listCreditNotes(ctx, document.id) }
}

/** Returns a credit note with its invoice. */
export async function readCreditNote(ctx: Context, id: string, noteId: string) {
  const { document, notes } = await readCreditNotes(ctx, id)
  const note = isUuid(noteId) ? notes.find((note) => note.id === noteId.toLowerCase()) : undefined
  return note
    ? { document, note }
    : refuse('not_found', 'Credit note not found. See GET /sales-invoices/{id}/credit-notes.')
}
