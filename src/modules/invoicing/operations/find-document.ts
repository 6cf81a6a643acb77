import type { Context } from '../../../core/context.ts'
import { refuse } from '../../../core/errors.ts'
import { isUuid } from '../../../core/ids.ts'
import { SerializationConflict } from '../../../core/serialization-conflict.ts'
import { holdOffErasures } from '../../contacts/operations/erase-contact.ts'
import { holdLeadOf } from '../../crm/operations/received-money.ts'
import { type DocumentRow, findDocumentRow, findDocumentRowForUpdate } from '../queries/documents.ts'
import type { DocumentKind } from '../schema.ts'

/** The kinds of one list of the API. */
export const INVOICES: readonly DocumentKind[] = ['invoice', 'proforma', 'voucher']
export const QUOTATIONS: readonly DocumentKind[] = ['quotation']

const missing = (kinds: readonly DocumentKind[]): never =>
  kinds.includes('quotation')
    ? refuse('not_found', 'Quotation not found. See GET /quotations.')
    : refuse('not_found', 'Invoice not found. See GET /sales-invoices.')

/** A document of these kinds; foreign and missing are the same 404. */
export async function getDocument(
  ctx: Context,
  id: string,
  kinds: readonly DocumentKind[],
): Promise<DocumentRow> {
  const found = isUuid(id) ? await findDocumentRow(ctx, id.toLowerCase()) : undefined
  return found && kinds.includes(found.kind) ? found : missing(kinds)
}

export type HeldDocument = { document: DocumentRow; lead: { id: string } | undefined }

/**
 * The document, locked after the lead of its customer: everybody locks them in this order. Its customer is not erased before the
 * transaction ends.
 */
export async function holdDocument(
  ctx: Context,
  id: string,
  kinds: readonly DocumentKind[],
): Promise<HeldDocument> {
  await holdOffErasures(ctx)
  const known = await getDocument(ctx, id, kinds)
  const lead = await holdLeadOf(ctx, known.contactId)
  const document = (await findDocumentRowForUpdate(ctx, known.id)) ?? missing(kinds)
  // The lead of its new customer is to be locked, and that comes before the document.
  if (document.contactId !== null && document.contactId !== known.contactId)
    throw new SerializationConflict('the draft was given another customer meanwhile')
  // A draft may have been taken from its customer meanwhile.
  return { document, lead: document.contactId === null ? undefined : lead }
}
