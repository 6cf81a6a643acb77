/** Issues documents. An issued document has a number and can't be changed (DECISIONS.md). */

import type { Context } from '../../../../core/context.ts'
import { type Issue, invalid, refuse } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import { requireRole } from '../../../../core/require-role.ts'
import { monthOf } from '../../../../core/values/calendar.ts'
import { newLinkToken } from '../../../../core/values/link-token.ts'
import { documentAllowanceOf } from '../../../platform/workspaces/operations/access-rules.ts'
import { invoiceIssued } from '../events.ts'
import { type DocumentRow, updateDocumentRow } from '../queries/documents.ts'
import { countDocument, takeNumber } from '../queries/settings.ts'
import { documentNumber, financialYearOf, isDocumentNumber } from '../reckoning/numbers.ts'
import { placeOf } from '../reckoning/place-of-supply.ts'
import type { DocumentKind } from '../schema.ts'
import type { SalesSettings, SeriesName } from '../settings-schema.ts'
import { addToStory, announce, invoiceInEvent } from './announce.ts'
import { composed } from './compose.ts'
import { dayAfter, todayOf } from './days.ts'
import { type HeldDocument, holdDocument } from './find-document.ts'
import { basisOf, holdSettings, withDocumentRules } from './settings.ts'
import { type SupplyFacts, supplyIssues } from './supply-rules.ts'

/** From this total, an invoice must name the customer and their address. */
const NAMED_FROM_MINOR = 5_000_000

/** Returns the data that the tax scheme requires and that the invoice lacks. */
export function missingDataOf(
  row: Pick<DocumentRow, 'kind' | 'totalMinor'> & SupplyFacts,
  { seller, taxScheme, hsnDigits }: Pick<SalesSettings, 'seller' | 'taxScheme' | 'hsnDigits'>,
): Issue[] {
  const issues: Issue[] = []
  const raise = (path: string, message: string) => issues.push({ path, message })
  if (!seller) raise('seller', 'Required. Set it with PUT /sales-settings.')
  if (row.totalMinor === 0) raise('lines', 'Must come to more than 0.')
  issues.push(...supplyIssues(row, taxScheme))
  if (row.kind !== 'invoice' || taxScheme === 'none' || !seller) return issues
  if (!seller.gstin) raise('seller.gstin', 'Required. Set it with PUT /sales-settings.')
  if (
    taxScheme === 'composition' &&
    row.placeOfSupply !== placeOf({ ...seller, gstin: seller.gstin ?? null })
  )
    raise('placeOfSupply', "Must be the seller's own state under the composition scheme.")
  if (row.customer.gstin && hsnDigits > 0)
    for (const [i, line] of row.lines.entries())
      if ((line.hsn ?? '').length < hsnDigits)
        raise(`lines[${i}].hsn`, `Must have at least ${hsnDigits} digits for a registered customer.`)
  if (row.totalMinor >= NAMED_FROM_MINOR) {
    if (!row.customer.name) raise('customer.name', 'Required for a total of ₹50,000 or more.')
    if (!row.customer.billingAddress)
      raise('customer.billingAddress', 'Required for a total of ₹50,000 or more.')
  }
  return issues
}

/** Returns the day of issue: today, or an earlier day set by an admin, not in locked books. */
export function dayOfIssue(
  ctx: Context,
  requestedDay: string | null,
  { booksLockedUntil }: SalesSettings,
): string {
  const today = todayOf(ctx)
  const day = requestedDay ?? today
  if (day > today) throw invalid([{ path: 'issueDate', message: `Must not be after today, ${today}.` }])
  if (day < today) requireRole(ctx, 'admin', 'An earlier issueDate')
  if (booksLockedUntil !== null && day <= booksLockedUntil)
    refuse('conflict', `The books are locked until ${booksLockedUntil}. Use a later issueDate.`)
  return day
}

/** Returns the next number of a series on a day. The series stays locked until the transaction ends. */
export async function numberOf(
  ctx: Context,
  series: SeriesName,
  day: string,
  settings: SalesSettings,
): Promise<{ number: string; financialYear: string }> {
  const financialYear = financialYearOf(day, settings.financialYearStart)
  const count = await takeNumber(ctx, { series, financialYear, day, isEarlier: day < todayOf(ctx) })
  if (count === undefined)
    refuse(
      'conflict',
      `A document with a later date than ${day} already has a number in this series. Use a later issueDate.`,
    )
  return { number: documentNumber(settings.series[series], financialYear, count), financialYear }
}

/** Refuses a number that is too long for its series. A gateway payment gets its receipt regardless. */
export function refuseLong(number: string): void {
  if (!isDocumentNumber(number))
    refuse('conflict', `${number} is longer than 16 characters. Shorten the prefix with PUT /sales-settings.`)
}

/** Counts a document against the plan. */
async function countTowardsPlan(ctx: Context): Promise<void> {
  const allowance = documentAllowanceOf(ctx.workspace)
  if (allowance === null) return
  if (!(await countDocument(ctx, monthOf(ctx.now, ctx.workspace.timezone), allowance)))
    refuse(
      'plan_limit_reached',
      `You have issued your plan's ${allowance} documents for this month. Upgrade the plan.`,
    )
}

const orDays = (requestedDay: string | null, day: string, days: number | null): string | null =>
  requestedDay ?? (days === null ? null : dayAfter(day, days))

function datesOf(row: DocumentRow, day: string, settings: SalesSettings) {
  // A voucher is already paid, so it has no due date.
  if (row.kind === 'voucher') return { dueDate: null, validUntil: null }
  const dueDate = row.kind === 'quotation' ? row.dueDate : orDays(row.dueDate, day, settings.dueDays)
  const validUntil = row.kind === 'invoice' ? row.validUntil : orDays(row.validUntil, day, settings.validDays)
  const earlyDates = Object.entries({ dueDate, validUntil }).filter(([, date]) => date !== null && date < day)
  if (earlyDates.length > 0)
    throw invalid(
      earlyDates.map(([path]) => ({ path, message: `Must not be before the day of issue, ${day}.` })),
    )
  return { dueDate, validUntil }
}

/** Issues a locked document under the current settings. Payments of its source may have settled a part. */
export async function issueHeld(
  ctx: Context,
  { document, lead }: HeldDocument,
  settings: SalesSettings,
  settlement: Partial<DocumentRow> = {},
): Promise<DocumentRow> {
  if (document.status !== 'draft') refuse('not_a_draft', `${document.number} is already issued.`)
  const rules = withDocumentRules(document.basis, settings)
  const row: DocumentRow = { ...document, ...composed(document, rules) }
  const issues = missingDataOf(row, settings)
  if (issues.length > 0) throw invalid(issues)
  const day = dayOfIssue(ctx, row.issueDate, settings)
  const dates = datesOf(row, day, settings)
  // In the common lock order: the series, then the month.
  const numberColumns = await numberOf(ctx, row.kind, day, settings)
  // A received advance always gets its receipt, regardless of the plan's limit. The invoice made from it
  // counts.
  if (row.kind !== 'voucher') {
    refuseLong(numberColumns.number)
    await countTowardsPlan(ctx)
  }
  const issuedDocument = await updateDocumentRow(ctx, row.id, {
    ...composed(row, rules),
    ...dates,
    ...numberColumns,
    ...settlement,
    issueDate: day,
    status: settlement.status ?? 'issued',
    basis: basisOf(rules),
    issuedAt: ctx.now,
    publicToken: newLinkToken(),
  })
  await addToStory(ctx, { document: issuedDocument, lead }, `${issuedDocument.kind}_issued`)
  if (issuedDocument.kind === 'quotation') touch(ctx, { salesDocument: issuedDocument.id })
  else
    announce(
      ctx,
      invoiceIssued,
      {
        invoice: invoiceInEvent(ctx, issuedDocument),
        fromProforma: issuedDocument.fromProforma,
        issuedAt: ctx.now.toISOString(),
      },
      issuedDocument,
    )
  return issuedDocument
}

export async function issueDocument(
  ctx: Context,
  id: string,
  kinds: readonly DocumentKind[],
): Promise<DocumentRow> {
  const settings = await holdSettings(ctx)
  return issueHeld(ctx, await holdDocument(ctx, id, kinds), settings)
}
