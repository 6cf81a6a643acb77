import type { OutsideContext } from '../../../../core/context.ts'
import type { AnsweringContext } from '../../../../core/endpoint.ts'
import { refuse } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import type { Answered, OperatorNumber } from '../../../../operator/port.ts'
import { operatorRefusal } from '../../../../operator/refusals.ts'
import { recordActivity } from '../../../platform/workspaces/operations/activity.ts'
import { getBusinessAccount } from '../../../platform/workspaces/operations/business-accounts.ts'
import { connectionIdOf } from '../../../platform/workspaces/operations/connection-id.ts'
import { listTemplatesByKeyForUpdate, type TemplateRow } from '../queries/templates.ts'
import { deleteTemplates } from './delete-templates.ts'
import { findAtOperator } from './find-at-operator.ts'
import { getTemplate } from './read-templates.ts'
import { numberFor } from './speak-for-account.ts'

/**
 * Deletes a template in one language, at the operator and here (spec 4.10). Ignores that the operator no
 * longer has it, so that a crashed request can be repeated. Returns whether a row was deleted. Refuses with
 * `not_found`, `conflict` while it is being submitted, `meta_error` and similar.
 */
export async function deleteTemplate(ctx: AnsweringContext<boolean>, ref: string): Promise<boolean> {
  const { template, phoneNumberId } = await ctx.transaction(async (unit) => {
    const template = await getTemplate(unit, ref)
    if (template.submission === 'submitting' && template.submittingUntil! > unit.now)
      refuse('conflict', `The template ${template.name} is being submitted. Try again when that is done.`, {
        id: template.id,
      })
    const account = await getBusinessAccount(unit, connectionIdOf(ctx.workspace.id, template.accountId))
    return { template, phoneNumberId: account.phoneNumberId }
  })
  const number = await numberFor(ctx, phoneNumberId)
  const answered = await deleteAtOperator(ctx, number, template)
  if (answered.kind !== 'done') throw operatorRefusal(answered)
  return ctx.lastTransaction(async (unit) => {
    // A concurrent request that deleted the row has also recorded the name.
    const [row] = await listTemplatesByKeyForUpdate(unit.tx, [template])
    const deleted = row?.id === template.id && (await deleteTemplates(unit.tx, [{ row, now: unit.now }])) > 0
    const { id: templateId, name, language } = template
    if (deleted) {
      touch(unit, { template: templateId })
      await recordActivity(unit, 'template.deleted', { templateId, name, language })
    }
    return deleted
  })
}

async function deleteAtOperator(
  ctx: OutsideContext,
  number: OperatorNumber,
  template: TemplateRow,
): Promise<Answered<undefined>> {
  const { name } = template
  let id = template.metaTemplateId
  if (id === null) {
    // Never confirmed: the operator may have it under an id that we do not know.
    const found = await findAtOperator(ctx, number, template)
    if (found.kind !== 'done') return found
    if (!found.value) return done
    id = found.value.id
  }
  const answered = await ctx.outside.operator.deleteTemplate(number, { name, id })
  if (answered.kind === 'done' || answered.kind === 'not_sent') return answered
  // It may already be deleted, by this call or an earlier one.
  const left = await findAtOperator(ctx, number, template)
  return left.kind === 'done' && left.value?.id !== id ? done : answered
}

const done = { kind: 'done', value: undefined } as const
