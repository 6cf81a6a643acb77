/** A submission whose answer was lost, or whose process died: the operator's list says what became of it. */
import type { Context, OutsideContext } from '../../../core/context.ts'
import { operatorRefusal } from '../../../operator/refusals.ts'
import { getBusinessAccount } from '../../workspaces/operations/business-accounts.ts'
import { connectionIdOf } from '../../workspaces/operations/connection-id.ts'
import {
  deleteTemplateRows,
  findTemplateRow,
  listTemplatesByKeyForUpdate,
  type TemplateRow,
  updateTemplateRows,
} from '../queries/templates.ts'
import { changed, submitted } from './change-template.ts'
import { findAtOperator } from './find-at-operator.ts'
import { fromOperatorTemplate } from './from-operator-template.ts'
import { numberFor } from './speak-for-account.ts'

/** Whether nobody knows what became of it, and no request is about to. */
const isOpen = (row: TemplateRow, now: Date): boolean =>
  row.submission === 'unconfirmed' || (row.submission === 'submitting' && row.submittingUntil! <= now)

/**
 * Finds out what became of a submission and answers what to write: what the operator has is taken over, and a name that
 * it does not have is free again. Throws what is worth another try.
 */
export async function settleSubmission(
  ctx: OutsideContext,
  templateId: string,
): Promise<(inside: Context) => Promise<void>> {
  const open = await ctx.transaction(async (unit) => {
    const row = await findTemplateRow(unit, 'id', templateId)
    // A later request that holds the name has left a look of its own behind.
    if (!row || !isOpen(row, unit.now)) return undefined
    const { phoneNumberId } = await getBusinessAccount(unit, connectionIdOf(ctx.workspace.id, row.accountId))
    return { row, phoneNumberId }
  })
  if (!open) return async () => {}
  const found = await findAtOperator(ctx, await numberFor(ctx, open.phoneNumberId), open.row)
  if (found.kind !== 'done') throw operatorRefusal(found)
  const theirs = found.value
  return async (inside) => {
    const [row] = await listTemplatesByKeyForUpdate(inside.tx, [open.row])
    if (row?.id !== templateId || row.attempt !== open.row.attempt || !isOpen(row, inside.now)) return
    if (!theirs) await deleteTemplateRows(inside.tx, [row])
    else {
      const { category, ...rest } = fromOperatorTemplate(theirs)
      // What the operator made of the category is part of its answer, not a change of a stored template.
      await updateTemplateRows(inside.tx, [
        { ...changed(inside, { ...row, category: category ?? row.category }, rest), ...submitted },
      ])
    }
  }
}
