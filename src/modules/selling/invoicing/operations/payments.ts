/** Payments of an invoice, and their voids. */
import type { Context } from '../../../../core/context.ts'
import { invalid, refuse } from '../../../../core/errors.ts'
import { isUuid, newId } from '../../../../core/ids.ts'
import { moneyText } from '../../../../core/values/money.ts'
import { recordReceivedMoney, voidReceivedMoney } from '../../crm/operations/received-money.ts'
import { invoicePaid, invoicePaymentRecorded, invoicePaymentVoided } from '../events.ts'
import type { NewPayment } from '../payment-schema.ts'
import {
  type DocumentRow,
  insertPaymentRow,
  listPaymentRows,
  type PaymentRow,
  updateDocumentRow,
  voidPaymentRow,
} from '../queries/documents.ts'
import type { SalesSettings } from '../settings-schema.ts'
import { addToStory, announce, invoiceInEvent, paymentInEvent } from './announce.ts'
import { todayOf } from './days.ts'
import { endOtherPayLink } from './end-pay-link.ts'
import { type HeldDocument, holdDocument, INVOICES } from './find-document.ts'
import { numberOf, refuseLong } from './issue.ts'
import { refuseLocked } from './locked-books.ts'
import { holdSettings } from './settings.ts'
import { settledAs } from './settled-as.ts'

const CLOSED: Record<string, string> = {
  draft: 'is a draft. Issue it first.',
  cancelled: 'is canceled. There is nothing to pay.',
  converted: 'became an invoice. Record the payment there.',
}

function refuseClosed({ status, number, balanceMinor, currency }: DocumentRow, amount: number): void {
  const closedReason = CLOSED[status]
  if (closedReason) refuse('conflict', `${number ?? 'The document'} ${closedReason}`)
  if (amount > balanceMinor)
    refuse('conflict', `A payment can't be more than the balance of ${moneyText(balanceMinor, currency)}.`)
}

function dayOfPayment(
  ctx: Context,
  requestedDay: string | undefined,
  { booksLockedUntil }: SalesSettings,
): string {
  const today = todayOf(ctx)
  const day = requestedDay ?? today
  if (day > today) throw invalid([{ path: 'paidOn', message: `Must not be after today, ${today}.` }])
  refuseLocked(day, booksLockedUntil)
  return day
}

/** Fires the event of a fully paid document. */
export const announcePaid = (ctx: Context, document: DocumentRow, paymentId: string): void => {
  announce(
    ctx,
    invoicePaid,
    { invoice: invoiceInEvent(ctx, document), paymentId, paidAt: ctx.now.toISOString() },
    document,
  )
}

/** The given parts of a payment. The rest comes from its document. */
export type PaymentParts = Pick<
  PaymentRow,
  'amountMinor' | 'tdsMinor' | 'paidOn' | 'reference' | 'source' | 'gatewayPaymentId'
> & { method: NewPayment['method'] }

/** Adds a payment with its receipt to a locked document, regardless of the balance. */
export async function addPayment(
  ctx: Context,
  { document, lead }: HeldDocument,
  settings: SalesSettings,
  parts: PaymentParts,
) {
  const { number, financialYear } = await numberOf(ctx, 'receipt', todayOf(ctx), settings)
  if (parts.source === 'manual') refuseLong(number)
  const { id: documentId, currency } = document
  const payment: PaymentRow = {
    ...parts,
    workspaceId: ctx.workspace.id,
    id: newId(),
    documentId,
    receiptNumber: number,
    currency,
    financialYear,
    createdAt: ctx.now,
    voidedAt: null,
    voidReason: null,
  }
  await insertPaymentRow(ctx, payment)
  const sums = {
    receivedMinor: document.receivedMinor + payment.amountMinor,
    tdsMinor: document.tdsMinor + payment.tdsMinor,
  }
  const status = document.status === 'cancelled' ? 'cancelled' : settledAs({ ...document, ...sums })
  const wasPaid = document.status === 'paid'
  const paidDocument = await updateDocumentRow(ctx, documentId, {
    ...sums,
    status,
    paidAt: status === 'paid' ? ((wasPaid ? document.paidAt : null) ?? ctx.now) : null,
  })
  await endOtherPayLink(ctx, paidDocument)
  // Withheld tax settles the balance and is no income.
  if (payment.amountMinor > 0)
    await recordReceivedMoney(ctx, {
      source: 'document_payment',
      sourceId: payment.id,
      contactId: paidDocument.contactId,
      lead,
      amountMinor: payment.amountMinor,
      currency,
    })
  await addToStory(ctx, { document: paidDocument, lead }, 'payment_received', {
    paymentId: payment.id,
    referenceId: paidDocument.number,
    paidPaise: payment.amountMinor,
    paymentMethod: payment.method,
  })
  announce(
    ctx,
    invoicePaymentRecorded,
    {
      payment: paymentInEvent(payment),
      invoice: invoiceInEvent(ctx, paidDocument),
      recordedAt: ctx.now.toISOString(),
    },
    paidDocument,
  )
  if (status === 'paid' && !wasPaid) announcePaid(ctx, paidDocument, payment.id)
  return { payment, document: paidDocument }
}

/**
 * Records a payment with its receipt. Refuses more than the balance, and so the second of two concurrent full
 * payments.
 */
export async function recordPayment(
  ctx: Context,
  id: string,
  body: NewPayment,
  origin: Pick<PaymentRow, 'source' | 'gatewayPaymentId'> = { source: 'manual', gatewayPaymentId: null },
) {
  const settings = await holdSettings(ctx)
  const held = await holdDocument(ctx, id, INVOICES)
  refuseClosed(held.document, body.amountMinor + body.tdsMinor)
  const { amountMinor, tdsMinor, method, reference = null } = body
  return addPayment(ctx, held, settings, {
    amountMinor,
    tdsMinor,
    method,
    reference,
    paidOn: dayOfPayment(ctx, body.paidOn, settings),
    ...origin,
  })
}

/** Voids a payment. Its receipt keeps its number, and the balance is open again. */
export async function voidPayment(ctx: Context, id: string, paymentId: string, reason: string) {
  const settings = await holdSettings(ctx)
  const { document, lead } = await holdDocument(ctx, id, INVOICES)
  const found = isUuid(paymentId)
    ? (await listPaymentRows(ctx, [document.id])).find((payment) => payment.id === paymentId.toLowerCase())
    : undefined
  if (!found) refuse('not_found', 'Payment not found. See GET /sales-invoices/{id}.')
  if (document.status === 'converted') refuse('conflict', `${document.number} ${CLOSED.converted}`)
  refuseLocked(found.paidOn, settings.booksLockedUntil)
  const payment = await voidPaymentRow(ctx, found.id, reason)
  if (!payment) refuse('conflict', `The payment ${found.receiptNumber} is already voided.`)
  const sums = {
    receivedMinor: document.receivedMinor - payment.amountMinor,
    tdsMinor: document.tdsMinor - payment.tdsMinor,
  }
  const status = document.status === 'cancelled' ? 'cancelled' : settledAs({ ...document, ...sums })
  const open = await updateDocumentRow(ctx, document.id, {
    ...sums,
    status,
    // The document may have been overpaid.
    paidAt: status === 'paid' ? document.paidAt : null,
  })
  await endOtherPayLink(ctx, open)
  await voidReceivedMoney(ctx, { source: 'document_payment', sourceId: payment.id })
  await addToStory(ctx, { document: open, lead }, 'payment_voided', {
    paymentId: payment.id,
    paidPaise: payment.amountMinor,
  })
  announce(
    ctx,
    invoicePaymentVoided,
    {
      payment: paymentInEvent(payment),
      invoice: invoiceInEvent(ctx, open),
      reason,
      voidedAt: ctx.now.toISOString(),
    },
    open,
  )
  return { payment, document: open }
}
