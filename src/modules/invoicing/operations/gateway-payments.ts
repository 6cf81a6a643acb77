/** Money that came in at the gateway. It is a fact: recorded once, also over the balance and on what was cancelled. */
import type { Context } from '../../../core/context.ts'
import { moneyText } from '../../../core/money.ts'
import { createTask } from '../../crm/operations/tasks.ts'
import { findPaymentLink, type LinkRow } from '../../payments/operations/links.ts'
import { findDocumentRow, isGatewayPaymentKnown } from '../queries/documents.ts'
import { METHODS } from '../schema.ts'
import { todayOf } from './days.ts'
import { type HeldDocument, holdDocument, INVOICES } from './find-document.ts'
import { addPayment, type PaymentParts } from './payments.ts'
import { holdSettings } from './settings.ts'

const MAX_REFERENCE = 64

const methodOf = (method: string | null): PaymentParts['method'] =>
  METHODS.find((one) => one === method) ?? 'other'

/** The document of a link; of a proforma that became an invoice, the invoice. */
async function holdPaid(ctx: Context, documentId: string): Promise<HeldDocument> {
  const held = await holdDocument(ctx, documentId, INVOICES)
  const { status, invoiceId } = held.document
  return status === 'converted' && invoiceId !== null ? holdDocument(ctx, invoiceId, INVOICES) : held
}

/** Somebody has to give back what nobody owed. */
async function askToRefund(
  ctx: Context,
  { document, lead }: HeldDocument,
  amountMinor: number,
): Promise<void> {
  const over = document.status === 'cancelled' ? amountMinor : Math.min(amountMinor, -document.balanceMinor)
  if (over <= 0 || !lead) return
  await createTask(ctx, {
    leadId: lead.id,
    type: 'other',
    title: `Refund ${moneyText(over, document.currency)} paid too much of ${document.number}`,
    dueAt: ctx.now,
    priority: 'high',
  })
}

type Paid = { paymentId: string; paidPaise: number }

/** `known` are the ids by which it may have been recorded before. */
async function recordPaid(
  ctx: Context,
  link: LinkRow,
  { paymentId, paidPaise }: Paid,
  known: string[],
): Promise<void> {
  const settings = await holdSettings(ctx)
  const held = await holdPaid(ctx, link.subjectId)
  // Looked at under the lock of the document: reports of one payment come at the same moment.
  if (await isGatewayPaymentKnown(ctx, known)) return
  const { document } = await addPayment(ctx, held, settings, {
    amountMinor: paidPaise,
    tdsMinor: 0,
    paidOn: todayOf(ctx),
    method: methodOf(link.paymentMethod),
    reference: paymentId === link.id ? null : paymentId.slice(0, MAX_REFERENCE),
    source: 'gateway',
    gatewayPaymentId: paymentId,
  })
  await askToRefund(ctx, { document, lead: held.lead }, paidPaise)
}

/** Records what was paid by a link, each payment once. Of a document that was erased nothing is left to record it on. */
export async function applyDocumentLink(
  ctx: Context,
  { paymentLinkId }: { paymentLinkId: string },
): Promise<void> {
  const link = await findPaymentLink(ctx, paymentLinkId)
  if (link?.status !== 'paid' || !(await findDocumentRow(ctx, link.subjectId))) return
  // A link may be known to be paid before it is known by which payment.
  const paymentId = link.paymentId ?? link.id
  await recordPaid(ctx, link, { paymentId, paidPaise: link.paidPaise! }, [paymentId, link.id])
  for (const further of link.furtherPayments) await recordPaid(ctx, link, further, [further.paymentId])
}
