import type { Issue } from '../../../core/errors.ts'
import { CATEGORIES, type Category, checkTemplate } from '../../template-components/check-template.ts'
import type { Calls, SimulatedCall } from '../call.ts'
import { type GraphAnswer, graphError, missingParameter, notSimulated } from '../graph-errors.ts'
import { nodeAnswer } from '../graph-fields.ts'
import { listAnswer } from '../graph-page.ts'
import { enumParameter, type Read, textsParameter } from '../graph-parameters.ts'
import { listParameter } from '../request-body.ts'
import { isSampleTemplate } from '../samples.ts'
import type { SimulatedObject } from '../store.ts'
import {
  deleteTemplate,
  isNameClosed,
  type KeptTemplate,
  keepTemplate,
  listTemplates,
  reportEdit,
  submitForReview,
  templateAt,
} from '../stored-templates.ts'
import { filterTemplates, summaryOf } from '../template-filters.ts'
import { readTemplateSettings } from '../template-settings.ts'

/** An account's templates: created, listed, changed, and deleted (docs/formats.md section 6.1). */
export const templateCalls: Calls = {
  'account POST message_templates': create,
  'account GET message_templates': list,
  'account DELETE message_templates': remove,
  'template GET': get,
  'template POST': edit,
}

const TEMPLATES_MAX = 250
/** Returns a text or number parameter as text; any other value matches no template. */
const asText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

const readCategory = (value: unknown): Read<Category> =>
  enumParameter('category', value, CATEGORIES) as Read<Category>
const languageOf = (value: unknown): string => asText(value).replaceAll('-', '_')

/** Returns a refusal with the texts that the operator shows to people. */
function refused(subcode: number | undefined, title: string, message: string): GraphAnswer {
  const answer = graphError(100, 'Invalid parameter', { subcode })
  const { error } = answer.body as { error: Record<string, unknown> }
  return {
    ...answer,
    body: { error: { ...error, is_transient: false, error_user_title: title, error_user_msg: message } },
  }
}

/** Subcodes of faulty components, by the fault (docs/formats.md section 4). */
function componentRefusal(issue: Issue, components: unknown[]): GraphAnswer {
  const place = Number(/^components\[(\d+)\]/.exec(issue.path)?.[1])
  const { type } = (components[place] ?? {}) as { type?: unknown }
  const [subcode, title] =
    type === 'HEADER'
      ? [2388047, 'Message header format is incorrect']
      : type === 'FOOTER'
        ? [2388073, 'Message footer format is incorrect']
        : /(?:start|end) with a placeholder/.test(issue.message)
          ? [2388299, 'Leading or trailing parameters not allowed']
          : /at most \d+ characters/.test(issue.message)
            ? [2388040, 'Character limit exceeded']
            : [2388072, 'Message body format is incorrect']
  return refused(subcode as number, title as string, `${issue.path}: ${issue.message}`)
}

async function create(call: SimulatedCall): Promise<GraphAnswer> {
  const { store, number, values } = call
  const { name, language } = values
  if (values.library_template_name !== undefined) return notSimulated('The template library')
  for (const required of ['name', 'language', 'category', 'components'])
    if (values[required] === undefined) return missingParameter(required)
  if (typeof name !== 'string' || !/^[a-z0-9_]{1,512}$/.test(name))
    return graphError(100, '(#100) Param name must hold lowercase letters, digits and underscores only.')
  if (typeof language !== 'string' || !/^[a-z]{2,3}([_-][A-Za-z0-9]{2,4})?$/.test(language))
    return graphError(100, '(#100) Param language is not a supported locale.')
  const read = readCategory(values.category)
  if (!read.ok) return read.answer
  const category = read.value
  const components = listParameter(values.components) ?? []
  const settings = readTemplateSettings(values)
  if (!settings.ok) return settings.answer
  const checked = checkTemplate(category, components)
  if (checked.issues[0]) return componentRefusal(checked.issues[0], checked.components)
  const existing = await listTemplates(store, number)
  const duplicate = existing.find(
    ({ value }) => value.name === name && value.language === languageOf(language),
  )
  if (duplicate)
    return refused(
      2388024,
      'Content in This Language Already Exists',
      `There is already ${language} content for this template. You can create a new template and try again.`,
    )
  if (await isNameClosed(store, number, name, languageOf(language)))
    return refused(
      2388023,
      'Message Template Language Is Being Deleted',
      `New ${language} content can't be added while the existing ${language} content is being deleted. Try again in 4 weeks or consider creating a new message template.`,
    )
  if (existing.length >= TEMPLATES_MAX)
    return refused(2388019, 'Message template limit exceeded', `You have reached ${TEMPLATES_MAX} templates.`)
  const id = await keepTemplate(store, number, {
    name,
    language: languageOf(language),
    category,
    parameter_format: checked.parameterFormat,
    components: checked.components,
    settings: settings.value,
  })
  return { status: 200, body: { id, status: 'PENDING', category } }
}

/** Returns the node of a template. */
function nodeOf({ id, value }: SimulatedObject): Record<string, unknown> {
  const { quality, updatedAt, decidedAt: _decidedAt, settings, ...shown } = value as KeptTemplate
  return {
    is_primary_device_delivery_only: false,
    ...settings,
    ...shown,
    id,
    quality_score: { score: quality, date: secondsOf(updatedAt) },
    last_updated_time: secondsOf(updatedAt),
    source: 'manual',
    health_status: { can_send_message: shown.status === 'APPROVED' ? 'AVAILABLE' : 'BLOCKED' },
  }
}

const secondsOf = (time: string): number => Math.floor(Date.parse(time) / 1000)

async function list(call: SimulatedCall): Promise<GraphAnswer> {
  const { store, number, values } = call
  const templates = await listTemplates(store, number)
  const filtered = filterTemplates(templates, values)
  if (!filtered.ok) return filtered.answer
  const summary = summaryOf(values.summary, {
    total_count: filtered.value.length,
    message_template_count: templates.length,
    message_template_limit: TEMPLATES_MAX,
    are_translations_complete: true,
  })
  if (!summary.ok) return summary.answer
  const more = summary.value && { summary: summary.value }
  return listAnswer(call, 'WhatsAppMessageTemplate', filtered.value.map(nodeOf), more)
}

const sampleRefusal = refused(
  undefined,
  'Sample Template Cannot Be Changed',
  'Sample templates can be neither edited nor deleted.',
)

async function remove({ store, number, values }: SimulatedCall): Promise<GraphAnswer> {
  const { name, hsm_id: id, hsm_ids: several } = values
  const ids = several ?? id
  if (name === undefined && ids === undefined) return missingParameter('name')
  const selectedIds = ids === undefined ? undefined : textsParameter(ids)
  const named = (await listTemplates(store, number)).filter(
    (template) =>
      (name === undefined || template.value.name === name) &&
      (selectedIds === undefined || selectedIds.includes(template.id)),
  )
  if (named.length === 0)
    return refused(
      2593002,
      'Message Template Not Found',
      `There is no message template ${asText(name ?? selectedIds?.join(', '))}.`,
    )
  if (named.some(isSampleTemplate)) return sampleRefusal
  for (const template of named) await deleteTemplate(store, number, template)
  return { status: 200, body: { success: true } }
}

async function get({ store, number, object, values }: SimulatedCall): Promise<GraphAnswer> {
  const template = templateAt(object as SimulatedObject, await store.now(number))
  return nodeAnswer('WhatsAppMessageTemplate', nodeOf(template), values.fields)
}

/** Changes components or category; the template goes to review again. */
async function edit({ store, number, object, values }: SimulatedCall): Promise<GraphAnswer> {
  const { id, value } = object as SimulatedObject
  const current = value as KeptTemplate
  if (isSampleTemplate(object as SimulatedObject)) return sampleRefusal
  const read = readCategory(values.category ?? current.category)
  if (!read.ok) return read.answer
  const category = read.value
  const input =
    values.components === undefined ? current.components : (listParameter(values.components) ?? [])
  const { components, parameterFormat, issues } = checkTemplate(category, input)
  if (issues[0]) return componentRefusal(issues[0], components)
  const settings = readTemplateSettings(values)
  if (!settings.ok) return settings.answer
  const { name, language } = current
  await submitForReview(store, number, id, {
    name,
    language,
    category,
    parameter_format: parameterFormat,
    components,
    settings: { ...current.settings, ...settings.value },
  })
  if (values.components !== undefined) await reportEdit(store, number, id, { name, language, components })
  return { status: 200, body: { success: true } }
}
