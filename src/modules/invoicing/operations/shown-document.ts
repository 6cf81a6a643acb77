/** A document with what it is shown with: the seller and the rules that it was issued by, and their logo. */
import type { Context } from '../../../core/context.ts'
import { pictureHeader } from '../../../core/picture-header.ts'
import { isOfPrintableSize } from '../../../core/printable-picture.ts'
import type { DocumentSource, ShownDocument } from '../pages/document-view.ts'
import type { DocumentRow, StoredBasis } from '../queries/documents.ts'
import { findLogo } from '../queries/logos.ts'
import type { DocumentKind } from '../schema.ts'
import { getDocument } from './find-document.ts'
import { presentOneInvoice, presentQuotation } from './present.ts'
import { readEarlierVersion } from './read-documents.ts'
import { basisOf, readSettings, rulesKept } from './settings.ts'

/** What a document was issued by, or would be. */
const shownBasis = async (ctx: Context, { status, basis }: DocumentRow): Promise<StoredBasis> =>
  basis !== null && status !== 'draft' ? basis : basisOf(rulesKept(basis, await readSettings(ctx)))

async function logoOf(ctx: Context, { seller }: StoredBasis): Promise<string | null> {
  const logo = seller?.logoMediaId ? await findLogo(ctx, seller.logoMediaId) : undefined
  // Logos that were kept before their size was bounded are left out.
  const header = logo && pictureHeader(logo.bytes)
  if (!logo || (header && !isOfPrintableSize(header))) return null
  return `data:${logo.mimeType};base64,${logo.bytes.toString('base64')}`
}

/** The document in a version, as it stands where none is named. */
export async function sourceOf(ctx: Context, row: DocumentRow, version?: number): Promise<DocumentSource> {
  const basis = await shownBasis(ctx, row)
  const document: ShownDocument =
    version !== undefined && version !== row.version
      ? await readEarlierVersion(ctx, row, version)
      : row.kind === 'quotation'
        ? presentQuotation(ctx, row)
        : await presentOneInvoice(ctx, row)
  return { document, basis, currentVersion: row.version, logo: await logoOf(ctx, basis) }
}

/** The same of a document that a caller names. */
export const readSource = async (
  ctx: Context,
  id: string,
  kinds: readonly DocumentKind[],
  version?: number,
): Promise<DocumentSource> => sourceOf(ctx, await getDocument(ctx, id, kinds), version)
