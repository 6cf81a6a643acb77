/** Drafts: documents without a number that can still be changed. */

import type { Context } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import { newId } from '../../../../core/ids.ts'
import { requireRole } from '../../../../core/require-role.ts'
import { presentContactId } from '../../../messaging/contacts/operations/find-contact.ts'
import { holdLeadOf } from '../../crm/operations/received-money.ts'
import {
  type DocumentRow,
  deleteDocumentRow,
  insertDocumentRow,
  unlinkConverted,
  updateDocumentRow,
} from '../queries/documents.ts'
import type { DocumentKind, DraftPatch } from '../schema.ts'
import type { SalesSettings } from '../settings-schema.ts'
import { completeCustomer, composed, type Parts, readCustomer, withHiddenDetails } from './compose.ts'
import { todayOf } from './days.ts'
import { type HeldDocument, holdDocument } from './find-document.ts'
import { holdSettings, withDocumentRules } from './settings.ts'

const NOT_ISSUED = {
  number: null,
  version: 1,
  receivedMinor: 0,
  tdsMinor: 0,
  creditedMinor: 0,
  basis: null,
  fromProforma: null,
  fromQuotation: null,
  invoiceId: null,
  bookingId: null,
  financialYear: null,
  cancelReason: null,
  acceptedBy: null,
  declineReason: null,
  issuedAt: null,
  sentAt: null,
  paidAt: null,
  cancelledAt: null,
  acceptedAt: null,
  declinedAt: null,
  publicToken: null,
  strippedAt: null,
} as const

/** Refuses an earlier date, unless an admin sets it. */
function requireDay(ctx: Context, issueDate: string | null | undefined): void {
  if (issueDate && issueDate < todayOf(ctx)) requireRole(ctx, 'admin', 'An earlier issueDate')
}

/**
 * The sources of a draft. `bookingId`: it is the receipt of a booking's advance. `basis`: the rules of its
 * prices stay.
 */
type Origins = Partial<Pick<DocumentRow, 'fromProforma' | 'fromQuotation' | 'bookingId' | 'basis'>>

/** Stores a draft with these parts. */
export async function insertDraft(
  ctx: Context,
  parts: Parts,
  settings: SalesSettings,
  from: Origins = {},
): Promise<DocumentRow> {
  const row = await insertDocumentRow(ctx, {
    ...NOT_ISSUED,
    ...composed(parts, settings),
    ...from,
    workspaceId: ctx.workspace.id,
    id: newId(),
    status: 'draft',
    createdAt: ctx.now,
    updatedAt: ctx.now,
  })
  touch(ctx, { salesDocument: row.id })
  return row
}

export type NewDocument = DraftPatch & { lines: Parts['lines'] }

/** Returns the default parts of a document, for parts that aren't given. */
export const beginningParts = (
  body: NewDocument,
  before: Pick<Parts, 'kind' | 'contactId' | 'customer' | 'terms'>,
): Parts => ({
  ...before,
  givenPlaceOfSupply: body.placeOfSupply ?? null,
  supplyType: body.supplyType ?? 'regular',
  reverseCharge: body.reverseCharge ?? false,
  issueDate: body.issueDate ?? null,
  dueDate: body.dueDate ?? null,
  validUntil: body.validUntil ?? null,
  reference: body.reference ?? null,
  notes: body.notes ?? null,
  terms: body.terms === undefined ? before.terms : body.terms,
  lines: body.lines,
})

/** Creates a draft and locks it like any document. */
export async function createDraft(
  ctx: Context,
  kind: DocumentKind,
  body: NewDocument,
  from: Origins = {},
): Promise<HeldDocument & { settings: SalesSettings }> {
  requireDay(ctx, body.issueDate)
  const settings = await holdSettings(ctx)
  const contactId = (await presentContactId(ctx, body.contactId)) ?? null
  const customer = await completeCustomer(ctx, contactId, body.customer)
  const lead = await holdLeadOf(ctx, contactId)
  const document = await insertDraft(
    ctx,
    beginningParts(body, { kind, contactId, customer, terms: settings.terms }),
    settings,
    from,
  )
  return { document, lead, settings }
}

const withDefault = <Value>(value: Value | undefined, before: Value): Value =>
  value === undefined ? before : value

/** Returns the parts of a document after a change. */
export const changedParts = (row: DocumentRow, patch: DraftPatch): Omit<Parts, 'contactId' | 'customer'> => ({
  kind: row.kind,
  givenPlaceOfSupply: withDefault(patch.placeOfSupply, row.givenPlaceOfSupply),
  supplyType: withDefault(patch.supplyType, row.supplyType),
  reverseCharge: withDefault(patch.reverseCharge, row.reverseCharge),
  issueDate: withDefault(patch.issueDate, row.issueDate),
  dueDate: withDefault(patch.dueDate, row.dueDate),
  validUntil: withDefault(patch.validUntil, row.validUntil),
  reference: withDefault(patch.reference, row.reference),
  notes: withDefault(patch.notes, row.notes),
  terms: withDefault(patch.terms, row.terms),
  lines: withDefault(patch.lines, row.lines),
})

const refuseIssued = ({ status, number }: DocumentRow): void => {
  if (status !== 'draft')
    refuse(
      'not_a_draft',
      `${number} is issued. Only a draft can be edited or deleted. Revise or cancel it instead.`,
    )
}

export async function changeDraft(
  ctx: Context,
  id: string,
  patch: DraftPatch,
  kinds: readonly DocumentKind[],
): Promise<DocumentRow> {
  requireDay(ctx, patch.issueDate)
  const customerChange = await readCustomer(ctx, patch.customer)
  const settings = await holdSettings(ctx)
  const { document } = await holdDocument(ctx, id, kinds)
  refuseIssued(document)
  const contactId = withDefault(await presentContactId(ctx, patch.contactId), document.contactId)
  const isSame = contactId === document.contactId && customerChange === undefined
  const customerInput =
    contactId === document.contactId
      ? withHiddenDetails(ctx, document.customer, customerChange)
      : customerChange
  const customer = isSame
    ? document.customer
    : await completeCustomer(
        ctx,
        contactId,
        customerInput ?? (contactId === null ? document.customer : undefined),
      )
  const rules = withDocumentRules(document.basis, settings)
  const changedFields = composed({ ...changedParts(document, patch), contactId, customer }, rules)
  touch(ctx, { salesDocument: document.id })
  return updateDocumentRow(ctx, document.id, changedFields)
}

/** Deletes a draft. It has no number. A quotation that it was made from can be converted again. */
export async function deleteDraft(ctx: Context, id: string, kinds: readonly DocumentKind[]): Promise<void> {
  const { document } = await holdDocument(ctx, id, kinds)
  refuseIssued(document)
  await deleteDocumentRow(ctx, document.id)
  touch(ctx, { salesDocument: document.id })
  const from = document.fromQuotation
  if (!from) return
  await unlinkConverted(ctx, from.id, document.id)
  touch(ctx, { salesDocument: from.id })
}
