/** Starts a scheduled campaign, with its template as it is now (DECISIONS.md "Gates"). */
import type { Context } from '../../../../core/context.ts'
import { Refusal } from '../../../../core/errors.ts'
import { buildCampaignContent } from '../../messages/sending/operations/campaign-content.ts'
import { getTemplate } from '../../templates/operations/read-templates.ts'
import type { BroadcastRow } from '../queries/broadcasts.ts'
import { listVariants } from '../queries/variants.ts'
import { contentColumns, type FilledTemplate, refillVariants } from './variants.ts'

/**
 * Returns the category and content of the approved template for the start. Returns a refusal if the planned
 * values no longer fit the template, or a file is gone. Throws `not_found` without the template.
 */
export async function beginPlanned(
  ctx: Context,
  row: Pick<BroadcastRow, 'id' | 'templateId' | 'variables' | 'testPhase'>,
): Promise<
  | Refusal
  | {
      category: string
      content: string
      templateText: string | null
      personal: string | null
      startedAt: Date
    }
> {
  const variants = row.testPhase === null ? undefined : await listVariants(ctx, row.id)
  const filled = await Promise.all((variants ?? [row]).map((content) => fillTemplate(ctx, content)))
  const refused = filled.find((content) => content instanceof Refusal)
  if (refused) return refused
  const contents = filled as FilledTemplate[]
  const categories = new Set(contents.map(({ template }) => template.category))
  if (categories.size > 1) return new Refusal('conflict', CATEGORIES_DIFFER)
  if (variants) await refillVariants(ctx, variants, contents)
  const { templateName: _, ...columns } = contentColumns(contents[0]!)
  return { ...columns, category: contents[0]!.template.category, startedAt: ctx.now }
}

/** The operator can move a template to another category. */
const CATEGORIES_DIFFER =
  'The templates now have different categories. Cancel the campaign, and compare templates of the same category.'

async function fillTemplate(
  ctx: Context,
  { templateId, variables }: Pick<BroadcastRow, 'templateId' | 'variables'>,
): Promise<FilledTemplate | Refusal> {
  const template = await getTemplate(ctx, templateId)
  const sendable = await buildCampaignContent(ctx, template, variables?.components ?? [])
  return sendable instanceof Refusal ? sendable : { template, sendable }
}
