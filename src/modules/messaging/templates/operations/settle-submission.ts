/** Settles a submission whose answer was lost, or whose process crashed, from the operator's list. */
import type { Context, OutsideContext } from '../../../../core/context.ts'
import { operatorRefusal } from '../../../../operator/refusals.ts'
import { getBusinessAccount } from '../../../platform/workspaces/operations/business-accounts.ts'
import { connectionIdOf } from '../../../platform/workspaces/operations/connection-id.ts'
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

/** Returns whether the result is unknown and no request is about to learn it. */
const isOpen = (row: TemplateRow, now: Date): boolean =>
  row.submission === 'unconfirmed' || (row.submission === 'submitting' && row.submittingUntil! <= now)

/**
 * Finds the result of a submission and returns what to write: the operator's template is stored, and a name
 * that it does not have becomes free. Throws errors that are worth a retry.
 */
export async function settleSubmission(
  ctx: OutsideContext,
  templateId: string,
): Promise<(txCtx: Context) => Promise<void>> {
  const open = await ctx.transaction(async (unit) => {
    const row = await findTemplateRow(unit, 'id', templateId)
    // A later request that reserved the name has its own job.
    if (!row || !isOpen(row, unit.now)) return undefined
    const { phoneNumberId } = await getBusinessAccount(unit, connectionIdOf(ctx.workspace.id, row.accountId))
    return { row, phoneNumberId }
  })
  if (!open) return async () => {}
  const found = await findAtOperator(ctx, await numberFor(ctx, open.phoneNumberId), open.row)
  if (found.kind !== 'done') throw operatorRefusal(found)
  const reported = found.value
  return async (txCtx) => {
    const [row] = await listTemplatesByKeyForUpdate(txCtx.tx, [open.row])
    if (row?.id !== templateId || row.attempt !== open.row.attempt || !isOpen(row, txCtx.now)) return
    if (!reported) await deleteTemplateRows(txCtx.tx, [row])
    else {
      const { category, ...rest } = fromOperatorTemplate(reported)
      // The category in the operator's answer is part of the submission, not a change of a stored template.
      await updateTemplateRows(txCtx.tx, [
        { ...changed(txCtx, { ...row, category: category ?? row.category }, rest), ...submitted },
      ])
    }
  }
}
