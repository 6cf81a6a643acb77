import { DAY_MS, later } from '../../../../core/clock.ts'
import type { Tx } from '../../../../core/context.ts'
import { closeNames } from '../queries/names.ts'
import { deleteTemplateRows, type TemplateRow } from '../queries/templates.ts'

/**
 * The time for which the operator blocks the name of a deleted template that was approved (docs/formats.md
 * section 6.1).
 */
const CLOSED_MS = 30 * DAY_MS

/** Removes templates that were deleted at the operator at `now` of their workspace; returns how many. */
export async function deleteTemplates(tx: Tx, deleted: { row: TemplateRow; now: Date }[]): Promise<number> {
  const published = deleted.filter(({ row }) => row.status !== 'pending' && row.status !== 'rejected')
  if (published.length > 0)
    await closeNames(
      tx,
      published.map(({ row, now }) => ({ ...row, now, until: later(now, CLOSED_MS) })),
    )
  return deleteTemplateRows(
    tx,
    deleted.map(({ row }) => row),
  )
}
