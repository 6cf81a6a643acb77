import type { Context } from '../../../../core/context.ts'
import { type OutsideRequest, type Reply, replyWithFile } from '../../../../core/endpoint.ts'
import { type HtmlPage, writePage } from '../../../../core/values/html-page.ts'
import { pageOf, pdfOf, slipPage, slipPdf } from '../operations/document-formats.ts'
import { sourceFor } from '../operations/shown-document.ts'
import type { DocumentSource, DocumentView } from '../pages/document-view.ts'

const PDF_POLICY = "default-src 'none'"

/** The formats of a document besides JSON. */
export const ALSO_AS = {
  'text/html':
    'With `format=html`: the document as a page without scripts, to read and print. This page is the record.',
  'application/pdf': 'With `format=pdf`: the document as a PDF in A4 format.',
}

const pdfReply = (file: { bytes: Buffer; filename: string }): Reply =>
  replyWithFile({ ...file, contentType: 'application/pdf', policy: PDF_POLICY })

function pageReply({ page, filename }: { page: HtmlPage; filename: string }): Reply {
  const { text, policy } = writePage(page)
  return replyWithFile({ contentType: 'text/html; charset=utf-8', filename, bytes: text, policy })
}

/** Returns a document as a file. */
export async function documentReply(
  ctx: OutsideRequest,
  format: 'html' | 'pdf',
  read: (txCtx: Context) => Promise<DocumentSource>,
): Promise<Reply> {
  const source = sourceFor(ctx, await ctx.transaction(read))
  if (format === 'html') return pageReply(await pageOf(source))
  const { bytes, filename } = await pdfOf(ctx, source)
  return pdfReply({ bytes, filename })
}

/** Returns a receipt or a credit note as a file. */
export async function slipReply(
  ctx: OutsideRequest,
  format: 'html' | 'pdf',
  read: (txCtx: Context) => Promise<DocumentView>,
): Promise<Reply> {
  const view = await ctx.transaction(read)
  return format === 'html' ? pageReply(slipPage(view)) : pdfReply(await slipPdf(ctx, view))
}
