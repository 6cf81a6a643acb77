import { invalid } from '../../../../core/errors.ts'
import type { DocumentRow } from '../queries/documents.ts'
import type { SalesSettings } from '../settings-schema.ts'
import { dayAfter } from './days.ts'

const orDays = (requestedDay: string | null, day: string, days: number | null): string | null =>
  requestedDay ?? (days === null ? null : dayAfter(day, days))

/**
 * Returns the due date and the end of validity of a document that is issued on `day`. Throws `invalid` for a
 * date before it.
 */
export function datesOf(
  row: Pick<DocumentRow, 'kind' | 'dueDate' | 'validUntil'>,
  day: string,
  settings: Pick<SalesSettings, 'dueDays' | 'validDays'>,
) {
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
