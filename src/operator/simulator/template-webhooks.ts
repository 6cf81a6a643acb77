/** The operator's reports about templates (docs/formats.md section 10). */
import { SECOND_MS } from '../../core/clock.ts'
import { objectsIn } from '../../core/values/storable.ts'
import { hasOptOutText } from '../template-components/opt-out-text.ts'
import { partsOf } from '../template-components/parts.ts'
import type { ScheduledReport } from './store.ts'
import type { KeptTemplate, TemplateChange } from './stored-templates.ts'

type Report = Pick<ScheduledReport, 'value'> & { field: string }
type Named = Pick<KeptTemplate, 'name' | 'language'>

/** Returns the report of the decision about a template. */
export const decisionReport = (id: string, template: KeptTemplate): Report =>
  statusReport(id, template, { event: template.status, reason: template.rejected_reason })

/** Returns the report of a later change; `template` is the template before it. */
export function changeReport(id: string, template: KeptTemplate, change: TemplateChange): Report {
  if ('event' in change) return statusReport(id, template, change)
  if ('quality' in change)
    return {
      field: 'message_template_quality_update',
      value: () => ({
        ...namesOf(id, template),
        previous_quality_score: template.quality,
        new_quality_score: change.quality,
      }),
    }
  const value = change.impending
    ? { new_category: template.category, correct_category: change.category }
    : { previous_category: template.category, new_category: change.category }
  return { field: 'template_category_update', value: () => ({ ...namesOf(id, template), ...value }) }
}

/** Returns the report of an edited template's content, with only the buttons that call or open an address. */
export function editReport(id: string, template: Named & Pick<KeptTemplate, 'components'>): Report {
  const { header, body, footer } = partsOf(objectsIn(template.components))
  const row = objectsIn(template.components).find(({ type }) => type === 'BUTTONS')
  const buttons = objectsIn(row?.buttons).filter(({ type }) => type === 'URL' || type === 'PHONE_NUMBER')
  const value = {
    ...namesOf(id, template),
    message_template_title: header?.format === 'TEXT' ? header.text : undefined,
    message_template_element: body?.text,
    message_template_footer: footer,
    message_template_buttons:
      buttons.length === 0
        ? undefined
        : buttons.map(({ type, text, url, phone_number }) => ({
            message_template_button_type: type,
            message_template_button_text: text,
            message_template_button_url: url,
            message_template_button_phone_number: phone_number,
          })),
  }
  return { field: 'message_template_components_update', value: () => value }
}

// Webhooks write the id as a number and the language with a hyphen.
const namesOf = (id: string, { name, language }: Named) => ({
  message_template_id: Number(id),
  message_template_name: name,
  message_template_language: language.replaceAll('_', '-'),
})

const statusReport = (
  id: string,
  template: KeptTemplate,
  { event, reason = 'NONE' }: { event: string; reason?: string },
): Report => ({
  field: 'message_template_status_update',
  value: (time) => ({
    event,
    ...namesOf(id, template),
    message_template_category: template.category,
    reason,
    ...eventDetails(template, event, reason, time),
  }),
})

/** Returns the details of an event: the time of disabling, a pause or its end, the reason of a rejection. */
function eventDetails(template: KeptTemplate, event: string, reason: string, time: Date): object {
  if (event === 'DISABLED') return { disable_info: { disable_date: Math.floor(time.getTime() / SECOND_MS) } }
  if (event === 'PAUSED') return { other_info: template.pauses ? secondPause : firstPause }
  if (event === 'REINSTATED' && template.status === 'PAUSED') return { other_info: unpaused }
  if (event !== 'REJECTED' || reason !== 'INVALID_FORMAT') return {}
  const needsOptOut = template.category === 'MARKETING' && !hasOptOutText(template.components)
  return { rejection_info: needsOptOut ? noOptOut : otherForm }
}

const firstPause = { title: 'FIRST_PAUSE', description: 'The template is paused for three hours.' }
const secondPause = { title: 'SECOND_PAUSE', description: 'The template is paused for six hours.' }
const unpaused = { title: 'UNPAUSE', description: 'The template is no longer paused.' }
const noOptOut = {
  reason: 'The template does not say how to stop receiving marketing messages.',
  recommendation: 'Add a footer or a button that lets the customer opt out.',
}
const otherForm = {
  reason: 'The form of the template is not right.',
  recommendation: 'Change its components and submit it again.',
}
