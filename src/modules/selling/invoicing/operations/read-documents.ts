/** Reads single documents and lists of documents. */
import type { z } from 'zod'
import type { Context } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { cutPage } from '../../../../core/paging.ts'
import { moneyText } from '../../../../core/values/money.ts'
import { presentContactId } from '../../../messaging/contacts/operations/find-contact.ts'
import {
  type DocumentFilter,
  type DocumentRow,
  findVersionRow,
  listAmountsDue,
  listDocumentRows,
  listDocumentRowsOfContact,
} from '../queries/documents.ts'
import type { InvoiceFilter, IssuedFilter, Quotation, QuotationFilter, SalesInvoice } from '../schema.ts'
import { todayOf } from './days.ts'
import { getDocument, INVOICES, QUOTATIONS } from './find-document.ts'
import { linkOf, presentInvoices, presentOneInvoice, presentQuotation, summarizeInvoice } from './present.ts'

async function listPage(ctx: Context, filter: DocumentFilter) {
  const contactId = await presentContactId(ctx, filter.contactId)
  const rows = await listDocumentRows(ctx, { ...filter, contactId }, todayOf(ctx))
  return cutPage(rows, filter.limit, (row) => row.id)
}

export async function listInvoices(
  ctx: Context,
  { kind, overdue, ...filter }: z.output<typeof InvoiceFilter>,
) {
  const kinds = kind
    ? INVOICES.filter((documentKind) => (documentKind === 'voucher' ? 'proforma' : documentKind) === kind)
    : [...INVOICES]
  const { rows, nextCursor } = await listPage(ctx, {
    ...filter,
    kinds,
    overdue: overdue === undefined ? undefined : overdue === 'true',
  })
  return { invoices: await presentInvoices(ctx, rows), nextCursor }
}

export async function listQuotations(ctx: Context, filter: z.output<typeof QuotationFilter>) {
  const { rows, nextCursor } = await listPage(ctx, { ...filter, kinds: [...QUOTATIONS] })
  return { quotations: rows.map((row) => presentQuotation(ctx, row)), nextCursor }
}

/** Returns issued invoices, including cancelled ones, without drafts and proformas (spec 4.3). */
export async function listIssued(ctx: Context, filter: z.output<typeof IssuedFilter>) {
  const { rows, nextCursor } = await listPage(ctx, { ...filter, kinds: ['invoice'], isIssued: true })
  return { invoices: await presentInvoices(ctx, rows), nextCursor }
}

/** Returns an issued invoice. */
export async function getIssued(ctx: Context, id: string): Promise<DocumentRow> {
  const row = await getDocument(ctx, id, ['invoice'])
  return row.number === null ? refuse('not_found', 'Invoice not found. See GET /invoices.') : row
}

/** Returns an earlier version of a document, with the document's current link. */
export async function readEarlierVersion<Shown extends { url: string | null }>(
  ctx: Context,
  row: DocumentRow,
  version: number,
): Promise<Shown> {
  const found = (await findVersionRow(ctx, row.id, version)) as Shown | undefined
  return found
    ? { ...found, url: linkOf(ctx, row) }
    : refuse('not_found', `The document has no version ${version}.`)
}

const isEarlier = (version: number | undefined, current: number): version is number =>
  version !== undefined && version !== current

export async function readInvoice(
  ctx: Context,
  id: string,
  version?: number,
): Promise<z.output<typeof SalesInvoice>> {
  const row = await getDocument(ctx, id, INVOICES)
  return isEarlier(version, row.version) ? readEarlierVersion(ctx, row, version) : presentOneInvoice(ctx, row)
}

export async function readQuotation(
  ctx: Context,
  id: string,
  version?: number,
): Promise<z.output<typeof Quotation>> {
  const row = await getDocument(ctx, id, QUOTATIONS)
  return isEarlier(version, row.version) ? readEarlierVersion(ctx, row, version) : presentQuotation(ctx, row)
}

/** Returns the newest invoices of a contact in short, how many there are, and the unpaid amounts. */
export async function listInvoicesOfContact(ctx: Context, contactId: string, max: number) {
  const [{ rows, count: total }, due] = await Promise.all([
    listDocumentRowsOfContact(ctx, contactId, { kinds: INVOICES, limit: max }),
    listAmountsDue(ctx, contactId),
  ])
  return {
    items: rows.map((row) => summarizeInvoice(ctx, row)),
    total,
    due: due.map(({ currency, amountMinor }) => ({
      currency,
      amountMinor,
      amount: moneyText(amountMinor, currency),
    })),
  }
}
