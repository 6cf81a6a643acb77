/** A document with the data to show it: the seller, the rules it was issued under, and the logo. */
import type { Context } from '../../../../core/context.ts'
import { shownTo } from '../../../../core/customer-details.ts'
import { hideEmail, hidePhone } from '../../../../core/values/hidden-texts.ts'
import { readLanguage } from '../../../messaging/contacts/operations/customer-language.ts'
import type { DocumentSource, ShownDocument } from '../pages/document-view.ts'
import type { DocumentRow, StoredBasis } from '../queries/documents.ts'
import { DocumentCustomer, type DocumentKind } from '../schema.ts'
import { getDocument } from './find-document.ts'
import { presentOneInvoice, presentQuotation } from './present.ts'
import { readEarlierVersion } from './read-documents.ts'
import { logoOf } from './seller-logo.ts'
import { basisOf, readSettings, withDocumentRules } from './settings.ts'

/** Returns the settings that a document was issued under, or would be issued under now. */
const shownBasis = async (ctx: Context, { status, basis }: DocumentRow): Promise<StoredBasis> =>
  basis !== null && status !== 'draft' ? basis : basisOf(withDocumentRules(basis, await readSettings(ctx)))

/** Returns a version of the document, or the current one if none is named. */
export async function sourceOf(ctx: Context, row: DocumentRow, version?: number): Promise<DocumentSource> {
  const basis = await shownBasis(ctx, row)
  const document: ShownDocument =
    version !== undefined && version !== row.version
      ? await readEarlierVersion(ctx, row, version)
      : row.kind === 'quotation'
        ? presentQuotation(ctx, row)
        : await presentOneInvoice(ctx, row)
  return {
    document,
    basis,
    currentVersion: row.version,
    logo: await logoOf(ctx, basis.seller),
    language: await readLanguage(ctx, row.contactId),
  }
}

/** Returns the same for a document that a caller names. */
export const readSource = async (
  ctx: Context,
  id: string,
  kinds: readonly DocumentKind[],
  version?: number,
): Promise<DocumentSource> => sourceOf(ctx, await getDocument(ctx, id, kinds), version)

/**
 * Returns a document as its customer's page and chat show it: the number and the email address are masked if they are
 * hidden from any role, because every agent can open the chat, its files, and its links.
 */
export const sourceForChats = (
  { detailsHiddenFrom }: Pick<Context['workspace'], 'detailsHiddenFrom'>,
  source: DocumentSource,
): DocumentSource => {
  const { phone, email, ...customer } = source.document.customer
  if (detailsHiddenFrom.length === 0) return source
  return {
    ...source,
    document: {
      ...source.document,
      customer: { ...customer, phone: phone && hidePhone(phone), email: email && hideEmail(email) },
    },
  }
}

/** Returns a document as its caller may see it: files are masked here, because no schema describes them. */
export const sourceFor = (
  caller: Pick<Context, 'workspace' | 'actor'>,
  source: DocumentSource,
): DocumentSource => ({
  ...source,
  document: {
    ...source.document,
    customer: shownTo(caller, DocumentCustomer, source.document.customer),
  },
})
