/** A campaign that was planned ahead begins: its template may have changed since (docs/decisions/campaign-gates.md). */
import type { Context } from '../../../core/context.ts'
import { Refusal } from '../../../core/errors.ts'
import { json } from '../../../core/sql.ts'
import { buildCampaignContent } from '../../messages/sending/operations/campaign-content.ts'
import { getTemplate } from '../../templates/operations/read-templates.ts'
import type { BroadcastRow } from '../queries/broadcasts.ts'

/**
 * What is written when it begins: the category and the content that its approved template has by now. A refusal where the
 * template cannot be filled any more with what was planned, or a file is gone. Throws `not_found` without the template.
 */
export async function beginPlanned(
  ctx: Context,
  row: Pick<BroadcastRow, 'templateId' | 'variables'>,
): Promise<
  | Refusal
  | { category: string; content: ReturnType<typeof json>; templateText: string | null; startedAt: Date }
> {
  const template = await getTemplate(ctx, row.templateId)
  const said = await buildCampaignContent(ctx, template, row.variables?.components ?? [])
  if (said instanceof Refusal) return said
  return {
    category: template.category,
    content: json(said.content),
    templateText: said.templateText,
    startedAt: ctx.now,
  }
}
