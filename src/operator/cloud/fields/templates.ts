/**
 * The fields about templates (docs/formats.md section 10). Template ids arrive as numbers and are stored as
 * text.
 */
import { idOrNull, isObject, objectsIn, textOrNull } from '../../../core/values/storable.ts'
import type { Report, TemplateReport } from '../../report.ts'
import { type Json, unrecognized, type ValueSource } from './webhook-value.ts'

type Named = Pick<TemplateReport, 'templateId' | 'name' | 'language' | 'accountId' | 'at'>

function namedIn(value: Json, { accountId, at }: ValueSource): Named | undefined {
  const id = value.message_template_id
  // An id above JavaScript's safe integers has lost digits: the name identifies the template then.
  const templateId = typeof id === 'number' ? (Number.isSafeInteger(id) ? String(id) : '') : idOrNull(id)
  const name = idOrNull(value.message_template_name)
  const language = idOrNull(value.message_template_language)
  if (templateId === null || name === null || language === null) return undefined
  // Webhooks may write en-US where the API writes en_US.
  return { templateId, name, language: language.replaceAll('-', '_'), accountId, at }
}

const upper = (value: unknown): string | null => textOrNull(value)?.toUpperCase() ?? null

/** Returns the reason code, or the description next to it. */
function reasonOf({ reason, rejection_info: info }: Json): string | null {
  const code = textOrNull(reason)
  return code !== null && code !== 'NONE' ? code : isObject(info) ? textOrNull(info.reason) : null
}

export function readTemplateStatus(value: Json, source: ValueSource): Report[] {
  const named = namedIn(value, source)
  const event = upper(value.event)
  if (!named || event === null) return [unrecognized('message_template_status_update')]
  return [
    {
      kind: 'template_status',
      ...named,
      event,
      category: upper(value.message_template_category),
      reason: reasonOf(value),
    },
  ]
}

/** A notice of a coming change names the correct category. */
export function readTemplateCategory(value: Json, source: ValueSource): Report[] {
  const named = namedIn(value, source)
  const previousCategory = upper(value.previous_category)
  const newCategory = upper(value.new_category)
  if (!named || newCategory === null || value.correct_category !== undefined)
    return [unrecognized('template_category_update')]
  return [{ kind: 'template_category', ...named, previousCategory, newCategory }]
}

export function readTemplateQuality(value: Json, source: ValueSource): Report[] {
  const named = namedIn(value, source)
  const quality = upper(value.new_quality_score)
  if (!named || quality === null) return [unrecognized('message_template_quality_update')]
  return [{ kind: 'template_quality', ...named, quality }]
}

/** Reads the content of an edited template. */
export function readTemplateComponents(value: Json, source: ValueSource): Report[] {
  const named = namedIn(value, source)
  const body = textOrNull(value.message_template_element)
  if (!named || body === null) return [unrecognized('message_template_components_update')]
  const buttons = objectsIn(value.message_template_buttons).flatMap((button) => {
    const type = upper(button.message_template_button_type)
    const text = textOrNull(button.message_template_button_text)
    if (type === null || text === null) return []
    const url = textOrNull(button.message_template_button_url)
    return [{ type, text, url, phoneNumber: textOrNull(button.message_template_button_phone_number) }]
  })
  const title = textOrNull(value.message_template_title)
  const footer = textOrNull(value.message_template_footer)
  return [{ kind: 'template_components', ...named, edit: { title, body, footer, buttons } }]
}
