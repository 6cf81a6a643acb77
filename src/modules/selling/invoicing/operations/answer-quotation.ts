/** A customer's answers to a quotation. */
import type { Context } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { quotationAccepted, quotationDeclined } from '../events.ts'
import { type DocumentRow, updateDocumentRow } from '../queries/documents.ts'
import { addToStory, announce, quotationInEvent } from './announce.ts'
import { todayOf } from './days.ts'
import { type HeldDocument, holdDocument, QUOTATIONS } from './find-document.ts'
import { isExpired } from './present.ts'

/** Locks and returns the quotation if the shown version can still be answered. */
async function holdOpen(ctx: Context, id: string, version: number | undefined): Promise<HeldDocument> {
  const held = await holdDocument(ctx, id, QUOTATIONS)
  const { document } = held
  if (version !== undefined && version !== document.version)
    refuse('conflict', `The quotation is now at version ${document.version}, not ${version}. Read it again.`)
  if (document.status !== 'issued')
    refuse(
      'conflict',
      `The quotation is ${document.status}. Only an issued quotation can be accepted or declined.`,
    )
  if (isExpired(document, todayOf(ctx)))
    refuse('conflict', `The quotation was valid until ${document.validUntil}. Revise it first.`)
  return held
}

/** Records that the customer accepted. */
export async function acceptQuotation(
  ctx: Context,
  id: string,
  { version }: { version?: number | undefined },
  by: 'staff' | 'customer' = 'staff',
): Promise<DocumentRow> {
  const { document, lead } = await holdOpen(ctx, id, version)
  const acceptedQuotation = await updateDocumentRow(ctx, document.id, {
    status: 'accepted',
    acceptedAt: ctx.now,
    acceptedBy: by,
  })
  await addToStory(ctx, { document: acceptedQuotation, lead }, 'quotation_accepted')
  announce(
    ctx,
    quotationAccepted,
    {
      quotation: quotationInEvent(ctx, acceptedQuotation),
      acceptedBy: by,
      acceptedAt: ctx.now.toISOString(),
    },
    acceptedQuotation,
  )
  return acceptedQuotation
}

/** Records that the customer declined. */
export async function declineQuotation(
  ctx: Context,
  id: string,
  { version, reason = null }: { version?: number | undefined; reason?: string | null | undefined },
): Promise<DocumentRow> {
  const { document, lead } = await holdOpen(ctx, id, version)
  const declined = await updateDocumentRow(ctx, document.id, {
    status: 'declined',
    declinedAt: ctx.now,
    declineReason: reason,
  })
  await addToStory(ctx, { document: declined, lead }, 'quotation_declined')
  announce(
    ctx,
    quotationDeclined,
    { quotation: quotationInEvent(ctx, declined), reason, declinedAt: ctx.now.toISOString() },
    declined,
  )
  return declined
}
