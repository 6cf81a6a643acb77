/** Counts how often forms were sent and answered (DECISIONS.md "Sent and answered"). */
import type { Context } from '../../../../core/context.ts'
import { listFormTemplates } from '../../templates/operations/form-templates.ts'
import { readResults } from '../../templates/operations/read-results.ts'
import { countForms, type FlowCounts } from '../queries/counts.ts'
import type { FlowRow } from '../queries/flows.ts'
import { MAX_COUNTED } from '../schema.ts'

type Form = Pick<FlowRow, 'id' | 'operatorId'>

/** Returns how often templates with each form in a button were sent in the last days, by the operator's id of the form. */
async function countInTemplates(ctx: Context): Promise<Map<string, number>> {
  const templates = await listFormTemplates(ctx)
  const resultsOf = await readResults(ctx, templates)
  const sums = new Map<string, number>()
  for (const template of templates)
    sums.set(template.formId, (sums.get(template.formId) ?? 0) + resultsOf(template).sent)
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
  const inTemplates = await countInTemplates(ctx)
  const operatorIds = new Map(forms.map(({ id, operatorId }) => [id, operatorId]))
  return new Map(
    counts.map(({ id, sent, answered }) => [
      id,
      { sent: Math.min(sent + (inTemplates.get(operatorIds.get(id)!) ?? 0), MAX_COUNTED), answered },
    ]),
  )
}
