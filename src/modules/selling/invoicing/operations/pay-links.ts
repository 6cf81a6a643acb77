/**
 * Payment links of documents at the gateway: one link per balance, created when the customer wants to pay.
 */
import { DAY_MS, later } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import { Refusal, refuse } from '../../../../core/errors.ts'
import { findPaymentLink, findPaymentLinkOf, openPaymentLink } from '../../payments/operations/links.ts'
import { MAX_TOTAL_PAISE } from '../../payments/schema.ts'
import { followDocumentLink } from '../jobs.ts'
import type { DocumentRow } from '../queries/documents.ts'
import { payableOf } from '../reckoning/payable.ts'
import { endOtherPayLink } from './end-pay-link.ts'
import { holdDocument, INVOICES } from './find-document.ts'

/** The currency of gateways. */
const CURRENCY = 'INR'
const MIN_PAISE = 100
/** A gateway keeps a link for this long. */
const LINK_LIFE_MS = 180 * DAY_MS

/** Returns whether the balance of a document can be paid at a gateway. */
export function isPayable(
  document: Pick<DocumentRow, 'currency' | 'balanceMinor'> & { status: string },
): boolean {
  const payable = payableOf(document)
  return document.currency === CURRENCY && payable >= MIN_PAISE && payable <= MAX_TOTAL_PAISE
}

/** Returns the id of the link over the current balance. A job asks the gateway to create it. */
export async function openPayLink(ctx: Context, id: string): Promise<string> {
  const { document } = await holdDocument(ctx, id, INVOICES)
  if (!isPayable(document)) refuse('conflict', 'There is nothing left to pay.')
  await endOtherPayLink(ctx, document)
  const existing = await findPaymentLinkOf(ctx, id)
  if (existing?.status === 'open') return existing.id
  const paymentLink = await openPaymentLink(ctx, {
    subjectId: id,
    followJob: followDocumentLink.name,
    amountPaise: payableOf(document),
    description: document.number!,
    expiresAt: later(ctx.now, LINK_LIFE_MS),
  })
  if (paymentLink instanceof Refusal)
    return refuse('conflict', "You can't pay here right now. Ask the business how to pay.")
  return paymentLink.id
}

/**
 * Returns the address where the customer pays; undefined while the gateway creates it. Refuses with
 * `conflict` if the link has ended meanwhile.
 */
export async function payAddress(ctx: Context, paymentLinkId: string): Promise<string | undefined> {
  const link = await findPaymentLink(ctx, paymentLinkId)
  if (link?.status === 'failed')
    refuse('conflict', "You can't pay here right now. Ask the business how to pay.")
  if (link?.status !== 'open') refuse('conflict', 'The amount to pay has changed. Check it and try again.')
  return link.linkUrl ?? undefined
}
