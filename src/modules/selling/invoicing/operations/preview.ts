/** Computes the totals of a document without storing it. */

import type { z } from 'zod'
import type { Context } from '../../../../core/context.ts'
import { refuseReference } from '../../../../core/errors.ts'
import { moneyText } from '../../../../core/values/money.ts'
import { presentContactId } from '../../../messaging/contacts/operations/find-contact.ts'
import { type DocumentRow, findDocumentRow } from '../queries/documents.ts'
import { stateTaxName } from '../reckoning/states.ts'
import type { Preview, Previewed } from '../schema.ts'
import { completeCustomer, composed, readCustomer } from './compose.ts'
import { beginningParts, changedParts } from './drafts.ts'
import { missingDataOf } from './missing-data.ts'
import { readSettings, withDocumentRules } from './settings.ts'

/** Returns the document to change, if any. */
async function changedDocument(ctx: Context, { documentId }: Preview): Promise<DocumentRow | undefined> {
  if (documentId === undefined) return undefined
  return (
    (await findDocumentRow(ctx, documentId.toLowerCase())) ??
    refuseReference('documentId', 'Document not found. See GET /sales-invoices.')
  )
}

/** Returns the rules for the computation: today's, or those that the document to change keeps. */
async function basisOf(ctx: Context, document: DocumentRow | undefined) {
  const settings = await readSettings(ctx)
  if (!document?.basis) return settings
  if (document.status === 'draft') return withDocumentRules(document.basis, settings)
  return { ...settings, ...document.basis, currency: document.currency }
}

/** Returns where and how it is taxed. Missing values come from the document. */
function taxedAs(body: Preview, document: DocumentRow | undefined) {
  if (document === undefined) return {}
  const { givenPlaceOfSupply, supplyType, reverseCharge } = changedParts(document, body)
  return { givenPlaceOfSupply, supplyType, reverseCharge }
}

/** Computes a document and stores nothing. */
export async function previewDocument(ctx: Context, body: Preview): Promise<z.input<typeof Previewed>> {
  const changed = await changedDocument(ctx, body)
  const basis = await basisOf(ctx, changed)
  const contactId = (await presentContactId(ctx, body.contactId)) ?? null
  const customer = await completeCustomer(ctx, contactId, await readCustomer(ctx, body.customer))
  const parts = beginningParts(body, { kind: body.kind, contactId, customer, terms: basis.terms })
  const document = composed({ ...parts, ...taxedAs(body, changed) }, basis)
  return {
    ...document,
    documentType: document.documentType as z.input<typeof Previewed>['documentType'],
    seller: basis.seller,
    stateTax: stateTaxName(document.placeOfSupply ?? ''),
    lines: document.lines.map((line) => ({ ...line, hsn: line.hsn ?? null })),
    total: moneyText(document.totalMinor, document.currency),
    missing: missingDataOf(document, basis),
  }
}
