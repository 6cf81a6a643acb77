/** Counts how often forms were sent and answered (DECISIONS.md "Sent and answered"). */
import type { Context } from '../../../../core/context.ts'
import { listNumbers } from '../../../platform/workspaces/operations/phone-numbers.ts'
import { listFormTemplates } from '../../templates/operations/form-templates.ts'
import { countForms, countTemplateForms, type FlowCounts } from '../queries/counts.ts'
import type { FlowRow } from '../queries/flows.ts'
import { MAX_COUNTED } from '../schema.ts'

type Form = Pick<FlowRow, 'id' | 'accountId' | 'operatorId'>

/** Returns the messages of templates with each form in a button, by the operator's id of the form. */
async function countInTemplates(ctx: Context, since: Date): Promise<Map<string, number>> {
  const templates = await listFormTemplates(ctx)
  if (templates.length === 0) return new Map()
  const numbers = await listNumbers(ctx, [ctx.workspace.id])
  const sends = templates.flatMap((template) =>
    numbers
      .filter(({ accountId }) => accountId === template.accountId)
      .map(({ id }) => ({ ...template, phoneNumberId: id })),
  )
  const counts = await countTemplateForms(ctx, sends, since)
  const sums = new Map<string, number>()
  for (const [i, { formId }] of sends.entries()) sums.set(formId, (sums.get(formId) ?? 0) + counts[i]!)
  return sums
}

/** Counts the messages with each form since a time, and those of them that customers answered. */
export async function countSends(
  ctx: Context,
  forms: Form[],
  since: Date,
): Promise<Map<string, Omit<FlowCounts, 'id'>>> {
  if (forms.length === 0) return new Map()
  const counts = await countForms(ctx, forms, since)
  const inTemplates = await countInTemplates(ctx, since)
  const operatorIds = new Map(forms.map(({ id, operatorId }) => [id, operatorId]))
  return new Map(
    counts.map(({ id, sent, answered }) => [
      id,
      { sent: Math.min(sent + (inTemplates.get(operatorIds.get(id)!) ?? 0), MAX_COUNTED), answered },
    ]),
  )
}
