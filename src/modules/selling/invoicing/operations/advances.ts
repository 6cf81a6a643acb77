/** Receipt vouchers: records of advance payments, until an invoice takes over the payment. */
import type { Context } from '../../../../core/context.ts'
import type { LinkRow } from '../../payments/operations/links.ts'
import { isOn } from '../gates.ts'
import type { Line } from '../line-schema.ts'
import type { DocumentRow } from '../queries/documents.ts'
import type { SalesSettings } from '../settings-schema.ts'
import { todayOf } from './days.ts'
import { createDraft } from './drafts.ts'
import { cancelDocument } from './end-document.ts'
import { getDocument, INVOICES } from './find-document.ts'
import { findGatewayPayment, firstPaid, holdPaid, partsOfPaid } from './gateway-payments.ts'
import { issueHeld } from './issue.ts'
import { addPayment, voidPayment } from './payments.ts'
import { holdSettings, rulesOfAdvance } from './settings.ts'

export type Advance = {
  bookingId: string
  contactId: string
  customer: { name: string | null; phone: string | null; email: string | null }
  currency: string
  /** The line that it was paid for. Its price is the payment. */
  line: Pick<Line, 'description' | 'hsn' | 'taxRate'>
}

/**
 * Returns whether a voucher can be issued. A received payment is always recorded, without a voucher if none
 * can be issued.
 */
function canIssue(
  ctx: Context,
  { seller, currency, booksLockedUntil }: SalesSettings,
  paymentCurrency: string,
): boolean {
  const areBooksOpen = booksLockedUntil === null || booksLockedUntil < todayOf(ctx)
  return isOn(ctx.workspace) && seller !== null && currency === paymentCurrency && areBooksOpen
}

/**
 * Issues the voucher of an advance that was paid by a link, with its payment. Returns undefined if none can
 * be issued.
 */
export async function issueVoucher(
  ctx: Context,
  { line, currency, ...advance }: Advance,
  link: LinkRow,
): Promise<DocumentRow | undefined> {
  const rules = rulesOfAdvance(await holdSettings(ctx))
  if (!canIssue(ctx, rules, currency)) return undefined
  const { bookingId, contactId, customer } = advance
  const firstPayment = firstPaid(link)
  const lines = [{ ...line, quantity: 1, unit: 'NOS', unitMinor: firstPayment.paidPaise }]
  const { document, lead } = await createDraft(ctx, 'voucher', { contactId, customer, lines }, { bookingId })
  const voucher = await issueHeld(ctx, { document, lead }, rules)
  const { document: received } = await addPayment(
    ctx,
    { document: voucher, lead },
    rules,
    partsOfPaid(ctx, link, firstPayment),
  )
  return received
}

/** Returns the document of an advance. */
export const readAdvance = (ctx: Context, id: string): Promise<DocumentRow> => getDocument(ctx, id, INVOICES)

/**
 * Applies the refund of an advance: voids its payment, and cancels a voucher. An invoice made from the
 * voucher stays, and its balance increases.
 */
export async function takeBackAdvance(
  ctx: Context,
  id: string,
  link: LinkRow,
  reason: string,
): Promise<void> {
  await holdSettings(ctx)
  const held = await holdPaid(ctx, id)
  const payment = await findGatewayPayment(ctx, held.document.id, link, firstPaid(link).paymentId)
  const { document } = payment ? await voidPayment(ctx, held.document.id, payment.id, reason) : held
  if (document.kind === 'voucher' && document.status === 'issued')
    await cancelDocument(ctx, document.id, reason, INVOICES)
}
