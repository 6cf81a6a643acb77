/** The content of a campaign's messages (spec 4.4 `variables`, as in a template send). */
import type { Context } from '../../../../../core/context.ts'
import { Refusal } from '../../../../../core/errors.ts'
import { filesOfComponents } from '../../../../../operator/message-payload/carried-files.ts'
import { TemplateComponents } from '../../../../../operator/message-payload/template.ts'
import { findMediaForSend } from '../../../media/operations/find-for-send.ts'
import { buildTemplateContent } from '../../../templates/operations/build-template.ts'
import type { StoredTemplate } from '../../../templates/operations/find-for-send.ts'
import {
  fillFallbacks,
  limitValues,
  markComponents,
  type PersonalContent,
} from '../../../templates/operations/personal-values.ts'
import { refuseFiles, withOperatorIds } from './carried-files.ts'
import { badParameters, type Sendable } from './judge-send.ts'

const AT = 'variables'

/** The content of a campaign. `personal`: its values from fields of the contacts; null if all get the same. */
export type CampaignContent = Sendable & { personal: PersonalContent | null }

/**
 * Builds the content of a campaign's messages, or returns why the template cannot be sent with these
 * components: `meta_error`, `invalid_template_parameters`, `template_header_media_required`, and
 * `invalid_reference` or `invalid` for files.
 */
export async function buildCampaignContent(
  ctx: Context,
  template: StoredTemplate,
  components: Record<string, unknown>[],
): Promise<CampaignContent | Refusal> {
  const marked = markComponents(components, AT)
  if (marked instanceof Refusal) return marked
  const built = await buildSame(ctx, template, marked.components)
  if (built instanceof Refusal || marked.values.length === 0)
    return built instanceof Refusal ? built : { ...built, personal: null }
  const personal = limitValues(template, {
    content: built.content,
    text: built.templateText,
    values: marked.values,
  })
  const { content, text } = fillFallbacks(personal)
  return { content, templateText: text, personal }
}

/** Builds content that is the same for all recipients. */
async function buildSame(
  ctx: Context,
  template: StoredTemplate,
  components: Record<string, unknown>[],
): Promise<Sendable | Refusal> {
  const options = { name: template.name, language: { code: template.language }, components }
  const built = buildTemplateContent(template, options, { now: ctx.now, at: AT })
  if (built instanceof Refusal) return built
  const form = TemplateComponents.safeParse(built.content.components ?? [])
  if (!form.success) return badParameters(form.error.issues, AT)
  const carried = filesOfComponents(form.data, `${AT}.components`)
  const found = await findMediaForSend(
    ctx,
    carried.map(({ mediaId }) => ({ workspaceId: ctx.workspace.id, mediaId })),
  )
  const filesById = new Map(
    carried.flatMap(({ mediaId }, i) => (found[i] ? [[mediaId, found[i]] as const] : [])),
  )
  return (
    refuseFiles(carried, filesById, { accountId: template.accountId, now: ctx.now }) ?? {
      content:
        form.data.length > 0
          ? { ...built.content, components: withOperatorIds(form.data, filesById) }
          : built.content,
      templateText: built.text,
    }
  )
}
