/** Renders a document as a page and as a PDF (DECISIONS.md "Pages"). */
import { createHash } from 'node:crypto'
import type { OutsideContext } from '../../../../core/context.ts'
import type { HtmlPage } from '../../../../core/values/html-page.ts'
import { type Around, documentPage } from '../pages/document-page.ts'
import { documentPdf } from '../pages/document-pdf.ts'
import { type DocumentSource, type DocumentView, viewOf } from '../pages/document-view.ts'
import { qrPicture } from '../pages/qr-code.ts'
import { findPdf, type PdfKey, upsertPdf } from '../queries/pdfs.ts'

/** The layout version of stored PDFs. A new number renders all of them again. */
const LAYOUT = 3

const nameOf = ({ document }: DocumentSource): string =>
  (document.number ?? 'draft').replaceAll('/', '-') + (document.version > 1 ? `-v${document.version}` : '')

/** The PDF library joins no Arabic letters, so these PDFs are in English with the customer's own data. */
const printed = (source: DocumentSource): DocumentSource =>
  source.language === 'ar' ? { ...source, language: 'en' } : source

/** `key`: the key of the stored file. */
export type DocumentFile = { bytes: Buffer; filename: string; key: PdfKey }

const pictureOf = async (address: string | undefined): Promise<string | null> =>
  address === undefined ? null : qrPicture(address)

/** Returns the page of a document, and its file name. */
export async function pageOf(
  source: DocumentSource,
  around: Around = {},
): Promise<{ page: HtmlPage; filename: string }> {
  const view = viewOf(source)
  const page = documentPage(view, await pictureOf(view.upi?.address), around)
  return { page, filename: `${nameOf(source)}.html` }
}

/**
 * Returns the PDF of a document, laid out once for its content. For each version, the last PDF is stored. A
 * draft is laid out every time.
 */
export async function pdfOf(
  ctx: Pick<OutsideContext, 'outside' | 'transaction' | 'workspace'>,
  source: DocumentSource,
): Promise<DocumentFile> {
  const { document } = source
  const filename = `${nameOf(source)}.pdf`
  const view = viewOf(printed(source))
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([LAYOUT, view]))
    .digest('hex')
  const key = { documentId: document.id, version: document.version, fingerprint }
  const storedPdf = await ctx.transaction((txCtx) => findPdf(txCtx, key))
  if (storedPdf) return { bytes: storedPdf, filename, key }
  const bytes = await ctx.outside.renderPdf(
    ctx.workspace.id,
    documentPdf(view, await pictureOf(view.upi?.address)),
  )
  if (document.number !== null) await ctx.transaction((txCtx) => upsertPdf(txCtx, key, bytes))
  return { bytes, filename, key }
}

/** Returns a receipt or a credit note for printing, laid out every time. */
export async function slipPdf(
  ctx: Pick<OutsideContext, 'outside' | 'workspace'>,
  view: DocumentView,
): Promise<{ bytes: Buffer; filename: string }> {
  return {
    bytes: await ctx.outside.renderPdf(ctx.workspace.id, documentPdf(view, null)),
    filename: `${slipName(view)}.pdf`,
  }
}

export const slipPage = (view: DocumentView): { page: HtmlPage; filename: string } => ({
  page: documentPage(view, null),
  filename: `${slipName(view)}.html`,
})

const slipName = ({ number }: DocumentView): string => number.replaceAll('/', '-')
