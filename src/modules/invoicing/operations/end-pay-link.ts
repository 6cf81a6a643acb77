import type { Context } from '../../../core/context.ts'
import { endPaymentLink, findPaymentLinkOf } from '../../payments/operations/links.ts'
import type { DocumentRow } from '../queries/documents.ts'
import { payableOf } from '../reckoning/payable.ts'

/** Ends the payment link of a document, unless it is over what is to be paid now. What is on its way still counts. */
export async function endOtherPayLink(ctx: Context, document: DocumentRow): Promise<void> {
  const link = await findPaymentLinkOf(ctx, document.id)
  if (link?.status === 'open' && link.amountPaise !== payableOf(document))
    await endPaymentLink(ctx, link.id, 'cancelled')
}
