import type { Context } from '../../../../core/context.ts'
import { endPaymentLink, findPaymentLinkOf } from '../../payments/operations/links.ts'
import type { DocumentRow } from '../queries/documents.ts'
import { payableOf } from '../reckoning/payable.ts'

/**
 * Ends the payment link of a document, unless its amount is the current balance. Payments in progress still
 * count.
 */
export async function endOtherPayLink(ctx: Context, document: DocumentRow): Promise<void> {
  const link = await findPaymentLinkOf(ctx, document.id)
  if (link?.status === 'open' && link.amountPaise !== payableOf(document))
    await endPaymentLink(ctx, link.id, 'cancelled')
}
