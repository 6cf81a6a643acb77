/**
 * Revises issued documents: the number stays, the version increases, and the previous version can still be
 * read.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../../../core/context.ts'
import { type Issue, invalid, refuse } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import { moneyText } from '../../../../core/values/money.ts'
import { invoiceUpdated } from '../events.ts'
import {
  type DocumentRow,
  insertVersionRow,
  listPaymentRows,
  updateDocumentRow,
} from '../queries/documents.ts'
import type { DocumentKind, Revision } from '../schema.ts'
import { addToStory, announce, invoiceInEvent } from './announce.ts'
import { completeCustomer, composed, readCustomer, withHiddenDetails } from './compose.ts'
import { changedParts } from './drafts.ts'
import { endOtherPayLink } from './end-pay-link.ts'
import { holdDocument } from './find-document.ts'
import { refuseLocked } from './locked-books.ts'
import { announcePaid } from './payments.ts'
import { presentOneInvoice, presentQuotation } from './present.ts'
import { holdSettings } from './settings.ts'
import { settledAs } from './settled-as.ts'
import { supplyIssues } from './supply-rules.ts'

/** Changed fields, by their labels in events. */
const LABELS = {
  customer: ['customer', 'placeOfSupply'],
  lines: ['lines'],
  tax: ['taxMinor', 'cgstMinor', 'igstMinor', 'cessMinor', 'supplyType', 'reverseCharge'],
  total: ['totalMinor'],
  due_date: ['dueDate'],
  valid_until: ['validUntil'],
  notes: ['notes'],
  terms: ['terms'],
  reference: ['reference'],
} as const satisfies Record<string, readonly (keyof DocumentRow)[]>
type Label = keyof typeof LABELS

/** Returns the value in stored form, where missing fields and null are the same. */
const withoutNulls = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, element) => (element === null ? undefined : element)) ?? 'null')

const differences = (before: DocumentRow, after: Partial<DocumentRow>): Label[] =>
  (Object.keys(LABELS) as Label[]).filter((label) =>
    LABELS[label].some(
      (column) => !isDeepStrictEqual(withoutNulls(before[column]), withoutNulls(after[column])),
    ),
  )

function refuseClosed(document: DocumentRow, booksLockedUntil: string | null): void {
  const { status, number, issueDate, invoiceId } = document
  if (status === 'draft') refuse('conflict', 'A draft has no versions. Change it with PATCH.')
  if (status === 'cancelled' || status === 'converted' || invoiceId !== null)
    refuse('conflict', `${number} is ${invoiceId === null ? status : 'converted'} and can't be revised.`)
  refuseLocked(issueDate, booksLockedUntil)
}

function refuseEarly({ issueDate }: DocumentRow, after: Pick<DocumentRow, 'dueDate' | 'validUntil'>): void {
  const issues: Issue[] = (['dueDate', 'validUntil'] as const)
    .filter((path) => after[path] !== null && after[path] < issueDate!)
    .map((path) => ({ path, message: `Must not be before the day of issue, ${issueDate}.` }))
  if (issues.length > 0) throw invalid(issues)
}

/** The fields that a revised quotation loses, because the new version has no answer. */
const UNANSWERED = {
  status: 'issued',
  acceptedAt: null,
  acceptedBy: null,
  declinedAt: null,
  declineReason: null,
} as const

/** Creates the next version of an issued document. Does nothing if there is no difference. */
export async function reviseDocument(
  ctx: Context,
  id: string,
  revision: Revision,
  kinds: readonly DocumentKind[],
): Promise<DocumentRow> {
  const customerChange = await readCustomer(ctx, revision.customer)
  const settings = await holdSettings(ctx)
  const { document, lead } = await holdDocument(ctx, id, kinds)
  refuseClosed(document, settings.booksLockedUntil)
  const { contactId, currency } = document
  const customerInput = withHiddenDetails(ctx, document.customer, customerChange)
  const customer = customerInput ? await completeCustomer(ctx, contactId, customerInput) : document.customer
  const after = composed(
    { ...changedParts(document, revision), contactId, customer },
    { ...document.basis!, currency },
  )
  const changed = differences(document, after)
  if (changed.length === 0) return document
  refuseEarly(document, after)
  const issues = supplyIssues(after, document.basis!.taxScheme)
  if (issues.length > 0) throw invalid(issues)
  const settledMinor = document.receivedMinor + document.tdsMinor + document.creditedMinor
  if (after.totalMinor === 0) throw invalid([{ path: 'lines', message: 'Must come to more than 0.' }])
  if (after.totalMinor < settledMinor)
    refuse(
      'conflict',
      `The total can't be less than the ${moneyText(settledMinor, currency)} already settled. Void a payment first.`,
    )
  if (document.kind === 'voucher' && after.totalMinor !== document.totalMinor)
    refuse('conflict', "A receipt voucher's total is the amount received. Leave it unchanged.")
  const isQuotation = document.kind === 'quotation'
  await insertVersionRow(ctx, {
    documentId: document.id,
    version: document.version,
    document: isQuotation ? presentQuotation(ctx, document) : await presentOneInvoice(ctx, document),
  })
  const status = isQuotation ? 'issued' : settledAs({ ...document, ...after })
  const wasPaid = document.status === 'paid'
  const revisedDocument = await updateDocumentRow(ctx, document.id, {
    ...after,
    ...(isQuotation ? UNANSWERED : {}),
    status,
    version: document.version + 1,
    paidAt: status === 'paid' ? (document.paidAt ?? ctx.now) : null,
  })
  await addToStory(ctx, { document: revisedDocument, lead }, `${revisedDocument.kind}_revised`, { changed })
  touch(ctx, { salesDocument: revisedDocument.id })
  if (isQuotation) return revisedDocument
  await endOtherPayLink(ctx, revisedDocument)
  announce(
    ctx,
    invoiceUpdated,
    { invoice: invoiceInEvent(ctx, revisedDocument), changed, updatedAt: ctx.now.toISOString() },
    revisedDocument,
  )
  if (status === 'paid' && !wasPaid) {
    const last = (await listPaymentRows(ctx, [revisedDocument.id])).findLast(
      (payment) => payment.voidedAt === null,
    )
    if (last) announcePaid(ctx, revisedDocument, last.id)
  }
  return revisedDocument
}
