/** Starts a scheduled campaign, with its template as it is now (DECISIONS.md "Gates"). */
import type { Context } from '../../../../core/context.ts'
import { Refusal } from '../../../../core/errors.ts'
import { json } from '../../../../database/sql/sql.ts'
import { buildCampaignContent } from '../../messages/sending/operations/campaign-content.ts'
import { getTemplate } from '../../templates/operations/read-templates.ts'
import type { BroadcastRow } from '../queries/broadcasts.ts'

/**
 * Returns the category and content of the approved template for the start. Returns a refusal if the planned
 * values no longer fit the template, or a file is gone. Throws `not_found` without the template.
 */
export async function beginPlanned(
  ctx: Context,
  row: Pick<BroadcastRow, 'templateId' | 'variables'>,
): Promise<
  | Refusal
  | { category: string; content: ReturnType<typeof json>; templateText: string | null; startedAt: Date }
> {
  const template = await getTemplate(ctx, row.templateId)
  const sendable = await buildCampaignContent(ctx, template, row.variables?.components ?? [])
  if (sendable instanceof Refusal) return sendable
  return {
    category: template.category,
    content: json(sendable.content),
    templateText: sendable.templateText,
    startedAt: ctx.now,
  }
}
