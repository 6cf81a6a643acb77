/** Payments at the gateway. Each is recorded once, also above the balance and on cancelled documents. */
import type { z } from 'zod'
import type { Context } from '../../../../core/context.ts'
import { moneyText } from '../../../../core/values/money.ts'
import { createTask } from '../../crm/operations/tasks.ts'
import type { LinkFollowed } from '../../payments/operations/follow-link.ts'
import { findPaymentLink, type LinkRow } from '../../payments/operations/links.ts'
import { METHODS } from '../payment-schema.ts'
import {
  findDocumentRow,
  isGatewayPaymentKnown,
  listPaymentRows,
  type PaymentRow,
} from '../queries/documents.ts'
import { todayOf } from './days.ts'
import { type HeldDocument, holdDocument, INVOICES } from './find-document.ts'
import { isLocked } from './locked-books.ts'
import { addPayment, type PaymentParts, voidPayment } from './payments.ts'
import { holdSettings } from './settings.ts'

const MAX_REFERENCE = 64

const methodOf = (method: string | null): PaymentParts['method'] =>
  METHODS.find((knownMethod) => knownMethod === method) ?? 'other'

/** Returns and locks the paid document, or the invoice it was converted into. */
export async function holdPaid(ctx: Context, documentId: string): Promise<HeldDocument> {
  const held = await holdDocument(ctx, documentId, INVOICES)
  const { status, invoiceId } = held.document
  return status === 'converted' && invoiceId !== null ? holdDocument(ctx, invoiceId, INVOICES) : held
}

/** Asks the team to refund an overpayment. */
async function createRefundTask(
  ctx: Context,
  { document, lead }: HeldDocument,
  amountMinor: number,
): Promise<void> {
  const overpaidMinor =
    document.status === 'cancelled' ? amountMinor : Math.min(amountMinor, -document.balanceMinor)
  if (overpaidMinor <= 0 || !lead) return
  await createTask(ctx, {
    leadId: lead.id,
    type: 'other',
    title: `Refund ${moneyText(overpaidMinor, document.currency)} that was overpaid on ${document.number}`,
    dueAt: ctx.now,
    priority: 'high',
  })
}

type Paid = { paymentId: string; paidPaise: number }

/** Returns the parts of a payment made by a link. */
export const partsOfPaid = (
  ctx: Context,
  link: LinkRow,
  { paymentId, paidPaise }: Paid,
): PaymentParts & { gatewayPaymentId: string } => ({
  amountMinor: paidPaise,
  tdsMinor: 0,
  paidOn: todayOf(ctx),
  method: methodOf(link.paymentMethod),
  reference: paymentId === link.id ? null : paymentId.slice(0, MAX_REFERENCE),
  source: 'gateway',
  gatewayPaymentId: paymentId,
})

/**
 * Returns the first payment of a paid link. The link may be known as paid before the payment's id is known.
 */
export const firstPaid = (link: LinkRow): Paid => ({
  paymentId: link.paymentId ?? link.id,
  paidPaise: link.paidPaise!,
})

/** `paymentIds`: the ids under which the payment may have been recorded before. */
async function recordPaid(ctx: Context, link: LinkRow, paid: Paid, paymentIds: string[]): Promise<void> {
  const settings = await holdSettings(ctx)
  const held = await holdPaid(ctx, link.subjectId)
  // Checked under the document's lock, because several reports of one payment arrive at the same moment.
  if (await isGatewayPaymentKnown(ctx, paymentIds)) return
  const { document } = await addPayment(ctx, held, settings, partsOfPaid(ctx, link, paid))
  await createRefundTask(ctx, { document, lead: held.lead }, paid.paidPaise)
}

/**
 * Returns the payment by a link that isn't voided, as recorded on the document. The first payment may be
 * known only by the link.
 */
export async function findGatewayPayment(
  ctx: Context,
  documentId: string,
  link: LinkRow,
  paymentId: string,
): Promise<PaymentRow | undefined> {
  const paymentIds = paymentId === firstPaid(link).paymentId ? [paymentId, link.id] : [paymentId]
  const payments = await listPaymentRows(ctx, [documentId])
  return payments.find(
    ({ gatewayPaymentId, voidedAt }) =>
      voidedAt === null && gatewayPaymentId !== null && paymentIds.includes(gatewayPaymentId),
  )
}

/** Voids a refunded payment, unless its books are locked. */
async function voidRefundedPayment(ctx: Context, link: LinkRow, paymentId: string): Promise<void> {
  const { booksLockedUntil } = await holdSettings(ctx)
  const { document } = await holdPaid(ctx, link.subjectId)
  const payment = await findGatewayPayment(ctx, document.id, link, paymentId)
  if (payment && !isLocked(payment.paidOn, booksLockedUntil))
    await voidPayment(ctx, document.id, payment.id, 'The payment gateway refunded it.')
}

/** Records a link's payments, each once, and its refunds. If the document was erased, records nothing. */
export async function applyDocumentLink(
  ctx: Context,
  { paymentLinkId, givenBack }: z.output<typeof LinkFollowed>,
): Promise<void> {
  const link = await findPaymentLink(ctx, paymentLinkId)
  if (link?.status !== 'paid' || !(await findDocumentRow(ctx, link.subjectId))) return
  const first = firstPaid(link)
  await recordPaid(ctx, link, first, [first.paymentId, link.id])
  for (const further of link.furtherPayments) await recordPaid(ctx, link, further, [further.paymentId])
  for (const paymentId of givenBack) await voidRefundedPayment(ctx, link, paymentId)
}
