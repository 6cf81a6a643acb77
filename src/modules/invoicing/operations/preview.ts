/** What a document would come to, before anything of it is stored. */
import type { z } from 'zod'
import type { Context } from '../../../core/context.ts'
import { refuse } from '../../../core/errors.ts'
import { moneyText } from '../../../core/money.ts'
import { findDocumentRow } from '../queries/documents.ts'
import { stateTaxName } from '../reckoning/states.ts'
import type { Preview, Previewed } from '../schema.ts'
import { completeCustomer, composed, readCustomer } from './compose.ts'
import { beginningParts } from './drafts.ts'
import { lackOf } from './issue.ts'
import { readSettings } from './settings.ts'

/** The rules that it is reckoned by: those of today, or those that the document to be revised was issued by. */
async function basisOf(ctx: Context, documentId: string | undefined) {
  const settings = await readSettings(ctx)
  if (documentId === undefined) return settings
  const document = await findDocumentRow(ctx, documentId.toLowerCase())
  if (!document) return refuse('invalid_reference', 'documentId names no document. See GET /sales-invoices.')
  return { ...settings, ...document.basis, currency: document.currency }
}

/** Reckons a document and stores nothing. */
export async function previewDocument(ctx: Context, body: Preview): Promise<z.input<typeof Previewed>> {
  const basis = await basisOf(ctx, body.documentId)
  const contactId = body.contactId?.toLowerCase() ?? null
  const customer = await completeCustomer(ctx, contactId, readCustomer(ctx, body.customer))
  const parts = beginningParts(body, { kind: body.kind, contactId, customer, terms: basis.terms })
  const document = composed(parts, basis)
  return {
    ...document,
    documentType: document.documentType as z.input<typeof Previewed>['documentType'],
    seller: basis.seller,
    stateTax: stateTaxName(document.placeOfSupply ?? ''),
    lines: document.lines.map((line) => ({ ...line, hsn: line.hsn ?? null })),
    total: moneyText(document.totalMinor, document.currency),
    missing: lackOf(document, basis),
  }
}
