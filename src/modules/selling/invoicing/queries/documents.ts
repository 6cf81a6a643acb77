/** SQL for sales documents. */
import { type Selectable, sql } from 'kysely'
import type { Context } from '../../../../core/context.ts'
import { spellings } from '../../../../core/values/spellings.ts'
import { uuids } from '../../../../database/sql/binary-arrays.ts'
import { type CountedRows, countedRows, rowCount } from '../../../../database/sql/counted-rows.ts'
import { containsLike } from '../../../../database/sql/like.ts'
import { db, json, parameters } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'
import type { Line } from '../line-schema.ts'
import type { Amounts, SupplyType } from '../reckoning/totals.ts'
import type { DocumentKind } from '../schema.ts'
import type { Address, SalesSettings } from '../settings-schema.ts'

/** A customer in a document: complete, and independent of the contact. */
export type StoredCustomer = {
  name: string | null
  phone: string | null
  email: string | null
  gstin: string | null
  billingAddress: Address | null
  shippingAddress: Address | null
}
export type StoredLine = Line & Amounts
export type Origin = { id: string; number: string }
/** The seller and the rules that a document was issued under. */
export type StoredBasis = Pick<SalesSettings, 'seller' | 'taxScheme' | 'pricesIncludeTax' | 'roundToUnit'>

type Shaped = {
  kind: DocumentKind
  status: 'draft' | 'issued' | 'partially_paid' | 'paid' | 'cancelled' | 'converted' | 'accepted' | 'declined'
  supplyType: SupplyType
  customer: StoredCustomer
  lines: StoredLine[]
  basis: StoredBasis | null
  fromProforma: Origin | null
  fromQuotation: Origin | null
  acceptedBy: 'customer' | 'staff' | null
  balanceMinor: number
}
export type DocumentRow = Omit<Selectable<Tables['salesDocuments']>, keyof Shaped> & Shaped

/** A document without the column that PostgreSQL computes. */
type StoredRow = Omit<DocumentRow, 'balanceMinor'>

/** Returns the JSON columns of a row as text. Those that a change leaves out stay undefined. */
const jsonColumns = (row: Partial<StoredRow>) => ({
  customer: row.customer && json(row.customer),
  lines: row.lines && json(row.lines),
  basis: row.basis && json(row.basis),
  fromProforma: row.fromProforma && json(row.fromProforma),
  fromQuotation: row.fromQuotation && json(row.fromQuotation),
})

const own = (ctx: Context) =>
  db.selectFrom('salesDocuments').selectAll().where('workspaceId', '=', ctx.workspace.id)

export const findDocumentRow = (ctx: Context, id: string): Promise<DocumentRow | undefined> =>
  ctx.tx.first(own(ctx).where('id', '=', id)) as Promise<DocumentRow | undefined>

export const findDocumentRowForUpdate = (ctx: Context, id: string): Promise<DocumentRow | undefined> =>
  ctx.tx.first(own(ctx).where('id', '=', id).forUpdate()) as Promise<DocumentRow | undefined>

export const insertDocumentRow = async (ctx: Context, row: StoredRow): Promise<DocumentRow> =>
  (await ctx.tx.first(
    db
      .insertInto('salesDocuments')
      .values({ ...row, ...jsonColumns(row), customer: json(row.customer), lines: json(row.lines) })
      .returningAll(),
  )) as DocumentRow

/** Updates the given columns and returns the row. */
export const updateDocumentRow = async (
  ctx: Context,
  id: string,
  change: Partial<StoredRow>,
): Promise<DocumentRow> =>
  (await ctx.tx.first(
    db
      .updateTable('salesDocuments')
      .set({ ...change, ...jsonColumns(change), updatedAt: ctx.now })
      .where('workspaceId', '=', ctx.workspace.id)
      .where('id', '=', id)
      .returningAll(),
  )) as DocumentRow

export const deleteDocumentRow = (ctx: Context, id: string): Promise<number> =>
  ctx.tx.run(db.deleteFrom('salesDocuments').where('workspaceId', '=', ctx.workspace.id).where('id', '=', id))

/** Removes the link from a document to the document made from it. */
export const unlinkConverted = (ctx: Context, id: string, invoiceId: string): Promise<unknown> =>
  ctx.tx.run(
    db
      .updateTable('salesDocuments')
      .set({ invoiceId: null, updatedAt: ctx.now })
      .where('workspaceId', '=', ctx.workspace.id)
      .where('id', '=', id)
      .where('invoiceId', '=', invoiceId),
  )

export type DocumentFilter = {
  limit: number
  cursor?: string | undefined
  kinds: DocumentKind[]
  status?: string | undefined
  contactId?: string | undefined
  from?: string | undefined
  to?: string | undefined
  overdue?: boolean | undefined
  q?: string | null | undefined
  /** Excludes drafts. */
  isIssued?: boolean | undefined
}

const OVERDUE = (today: string) =>
  `(status in ('issued', 'partially_paid') and coalesce(due_date < ${today}, false) and balance_minor > 0)`
const EXPIRED = (today: string) => `coalesce(valid_until < ${today}, false)`
/** The text in the word index. */
const WORDS = `lower(coalesce(number, '') || ' ' || coalesce(customer ->> 'name', '') || ' ' || coalesce(reference, ''))`

/** Returns a page of documents, newest first, at most `limit` + 1 rows. */
export function listDocumentRows(
  ctx: Context,
  filter: DocumentFilter,
  today: string,
): Promise<DocumentRow[]> {
  const { values, put } = parameters([ctx.workspace.id])
  const conditions = ['workspace_id = $1', `kind = any(${put(filter.kinds)}::text[])`]
  if (filter.cursor) conditions.push(`id < ${put(filter.cursor)}`)
  if (filter.contactId) conditions.push(`contact_id = ${put(filter.contactId)}`)
  if (filter.from) conditions.push(`issue_date >= ${put(filter.from)}`)
  if (filter.to) conditions.push(`issue_date <= ${put(filter.to)}`)
  if (filter.overdue !== undefined) conditions.push(`${filter.overdue ? '' : 'not '}${OVERDUE(put(today))}`)
  if (filter.q) {
    const patterns = spellings(filter.q).map((q) => containsLike(q.toLowerCase()))
    conditions.push(`(${patterns.map((pattern) => `${WORDS} like ${put(pattern)}`).join(' or ')})`)
  }
  if (filter.status === 'expired') conditions.push(`status = 'issued' and ${EXPIRED(put(today))}`)
  else if (filter.status) {
    conditions.push(`status = ${put(filter.status)}`)
    if (filter.status === 'issued' && filter.kinds.includes('quotation'))
      conditions.push(`not ${EXPIRED(put(today))}`)
  } else if (filter.isIssued) conditions.push('number is not null')
  return ctx.tx.sql<DocumentRow>(
    `select * from sales_documents where ${conditions.join(' and ')} order by id desc limit ${put(filter.limit + 1)}`,
    values,
  )
}

const INVOICES_OF_CONTACT =
  'sales_documents where workspace_id = $1 and contact_id = $2 and kind = any($3::text[])'

/** Returns the newest documents of a contact of these kinds. */
export const listDocumentRowsOfContact = async (
  ctx: Context,
  contactId: string,
  { kinds, limit }: { kinds: readonly DocumentKind[]; limit: number },
): Promise<CountedRows<DocumentRow>> =>
  countedRows<DocumentRow>(
    await ctx.tx.sql(
      `select *, ${rowCount(INVOICES_OF_CONTACT)} from ${INVOICES_OF_CONTACT} order by id desc limit $4`,
      [ctx.workspace.id, contactId, kinds, limit],
    ),
  )

export type AmountDue = Pick<DocumentRow, 'currency'> & { amountMinor: number }

/** Returns the unpaid amounts of a contact's issued invoices, by currency. */
export const listAmountsDue = (ctx: Context, contactId: string): Promise<AmountDue[]> =>
  ctx.tx.sql(
    `select currency, sum(balance_minor)::int8 as amount_minor from sales_documents
     where workspace_id = $1 and contact_id = $2 and kind = 'invoice' and status in ('issued', 'partially_paid')
       and balance_minor > 0
     group by currency order by currency`,
    [ctx.workspace.id, contactId],
  )

/** Stores a document's state before a revision, as it was shown. */
export const insertVersionRow = (
  ctx: Context,
  row: Pick<Selectable<Tables['salesDocumentVersions']>, 'documentId' | 'version' | 'document'>,
): Promise<unknown> =>
  ctx.tx.run(
    db.insertInto('salesDocumentVersions').values({
      workspaceId: ctx.workspace.id,
      documentId: row.documentId,
      version: row.version,
      document: json(row.document),
      createdAt: ctx.now,
    }),
  )

export const findVersionRow = async (ctx: Context, documentId: string, version: number): Promise<unknown> =>
  (
    await ctx.tx.first(
      db
        .selectFrom('salesDocumentVersions')
        .select('document')
        .where('workspaceId', '=', ctx.workspace.id)
        .where('documentId', '=', documentId)
        .where('version', '=', version),
    )
  )?.document

export type PaymentRow = Omit<Selectable<Tables['documentPayments']>, 'source'> & {
  source: 'manual' | 'gateway'
}

/** Returns payments of documents, oldest first. */
export const listPaymentRows = (ctx: Context, documentIds: string[]): Promise<PaymentRow[]> =>
  ctx.tx.all(
    db
      .selectFrom('documentPayments')
      .selectAll()
      .where('workspaceId', '=', ctx.workspace.id)
      .where('documentId', '=', sql<string>`any(${uuids(documentIds)}::uuid[])`)
      .orderBy('id'),
  ) as Promise<PaymentRow[]>

export const insertPaymentRow = (ctx: Context, row: PaymentRow): Promise<unknown> =>
  ctx.tx.run(db.insertInto('documentPayments').values(row))

/** Returns whether a gateway payment was recorded before, under one of these ids. */
export const isGatewayPaymentKnown = async (ctx: Context, gatewayPaymentIds: string[]): Promise<boolean> =>
  (
    await ctx.tx.sql(
      'select 1 from document_payments where workspace_id = $1 and gateway_payment_id = any($2::text[]) limit 1',
      [ctx.workspace.id, gatewayPaymentIds],
    )
  ).length > 0

/** Voids a payment. Returns undefined if it is voided already. */
export const voidPaymentRow = (ctx: Context, id: string, reason: string): Promise<PaymentRow | undefined> =>
  ctx.tx.first(
    db
      .updateTable('documentPayments')
      .set({ voidedAt: ctx.now, voidReason: reason })
      .where('workspaceId', '=', ctx.workspace.id)
      .where('id', '=', id)
      .where('voidedAt', 'is', null)
      .returningAll(),
  ) as Promise<PaymentRow | undefined>

/** Moves the payments of a document to another. */
export const movePaymentRows = (ctx: Context, from: string, to: string): Promise<unknown> =>
  ctx.tx.run(
    db
      .updateTable('documentPayments')
      .set({ documentId: to })
      .where('workspaceId', '=', ctx.workspace.id)
      .where('documentId', '=', from),
  )
