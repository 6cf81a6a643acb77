/** Issues documents. An issued document has a number and can't be changed (DECISIONS.md). */

import type { Context } from '../../../../core/context.ts'
import { invalid, refuse } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import { requireRole } from '../../../../core/require-role.ts'
import { monthOf } from '../../../../core/values/calendar.ts'
import { newLinkToken } from '../../../../core/values/link-token.ts'
import { documentAllowanceOf } from '../../../platform/workspaces/operations/access-rules.ts'
import { invoiceIssued } from '../events.ts'
import { type DocumentRow, updateDocumentRow } from '../queries/documents.ts'
import { countDocument, takeNumber } from '../queries/settings.ts'
import { documentNumber, financialYearOf, isDocumentNumber } from '../reckoning/numbers.ts'
import type { DocumentKind } from '../schema.ts'
import type { SalesSettings, SeriesName } from '../settings-schema.ts'
import { addToStory, announce, invoiceInEvent } from './announce.ts'
import { composed } from './compose.ts'
import { todayOf } from './days.ts'
import { datesOf } from './document-dates.ts'
import { type HeldDocument, holdDocument } from './find-document.ts'
import { missingDataOf } from './missing-data.ts'
import { basisOf, holdSettings, withDocumentRules } from './settings.ts'

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
