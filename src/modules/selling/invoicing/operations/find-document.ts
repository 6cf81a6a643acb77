import type { Context } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { isUuid } from '../../../../core/ids.ts'
import { SerializationConflict } from '../../../../database/sql/serialization-conflict.ts'
import { holdOffErasures } from '../../../messaging/contacts/operations/erase-contact.ts'
import { holdLeadOf } from '../../crm/operations/received-money.ts'
import { type DocumentRow, findDocumentRow, findDocumentRowForUpdate } from '../queries/documents.ts'
import type { DocumentKind } from '../schema.ts'

/** The kinds in each list of the API. */
export const INVOICES: readonly DocumentKind[] = ['invoice', 'proforma', 'voucher']
export const QUOTATIONS: readonly DocumentKind[] = ['quotation']

const refuseMissing = (kinds: readonly DocumentKind[]): never =>
  kinds.includes('quotation')
    ? refuse('not_found', 'Quotation not found. See GET /quotations.')
    : refuse('not_found', 'Invoice not found. See GET /sales-invoices.')

/**
 * Returns a document of these kinds. A document of another workspace returns the same 404 as a missing one.
 */
export async function getDocument(
  ctx: Context,
  id: string,
  kinds: readonly DocumentKind[],
): Promise<DocumentRow> {
  const found = isUuid(id) ? await findDocumentRow(ctx, id.toLowerCase()) : undefined
  return found && kinds.includes(found.kind) ? found : refuseMissing(kinds)
}

export type HeldDocument = { document: DocumentRow; lead: { id: string } | undefined }

/**
 * Locks the document after its customer's lead, in the common lock order. Its customer can't be erased before
 * the transaction ends.
 */
export async function holdDocument(
  ctx: Context,
  id: string,
  kinds: readonly DocumentKind[],
): Promise<HeldDocument> {
  await holdOffErasures(ctx)
  const unlocked = await getDocument(ctx, id, kinds)
  const lead = await holdLeadOf(ctx, unlocked.contactId)
  const document = (await findDocumentRowForUpdate(ctx, unlocked.id)) ?? refuseMissing(kinds)
  // The customer changed. The new customer's lead must be locked before the document.
  if (document.contactId !== null && document.contactId !== unlocked.contactId)
    throw new SerializationConflict('the draft was given another customer meanwhile')
  // A draft may have lost its customer meanwhile.
  return { document, lead: document.contactId === null ? undefined : lead }
}
