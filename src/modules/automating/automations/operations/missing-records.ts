/** Finds the names in actions that have no record. */
import type { Issue } from '../../../../core/errors.ts'
import type { Action } from '../action-schema.ts'
import { ATTRIBUTES } from './act-on-values.ts'

/** The records that actions name, as far as they exist, and the tags and fields that don't. */
export type NamedRecords = {
  missingTags: readonly string[]
  missingFields: readonly string[]
  numberIds: ReadonlySet<string>
  bots: ReadonlyMap<string, string>
  teams: ReadonlyMap<string, string>
  templates: ReadonlyMap<string, unknown>
}

const CONTACT_ATTRIBUTES = `contact.${ATTRIBUTES}`

/** Returns the declared contact field that the action sets, if any. */
export const contactFieldOf = (action: Action): string | undefined =>
  action.type === 'set_field' && action.field.startsWith(CONTACT_ATTRIBUTES)
    ? action.field.slice(CONTACT_ATTRIBUTES.length)
    : undefined

/** Returns the template that the action names, and its path in the action. */
export function templateOf(action: Action): { path: string; id: string } | undefined {
  if (action.type === 'send_template') return { path: 'templateId', id: action.templateId }
  return action.type === 'send_text' && action.orTemplate
    ? { path: 'orTemplate', id: action.orTemplate }
    : undefined
}

/** Returns the id of the team that the action names, if any. */
export const teamOf = (action: Action): string | undefined =>
  action.type === 'assign_conversation' ? action.teamId?.toLowerCase() : undefined

/** Returns the tags that the action names. */
export const tagsOf = (action: Action): string[] => ('tags' in action && action.tags ? action.tags : [])

/** Returns the issues for an action's names that do not exist. */
export function findMissing(action: Action, records: NamedRecords): Issue[] {
  const missing: Issue[] = []
  for (const [i, tag] of tagsOf(action).entries())
    if (records.missingTags.includes(tag))
      missing.push({ path: `tags[${i}]`, message: `Tag "${tag}" not found. See GET /tags.` })
  const field = contactFieldOf(action)
  if (field !== undefined && records.missingFields.includes(field))
    missing.push({ path: 'field', message: 'Must be a contact field. See GET /contact-fields.' })
  const template = templateOf(action)
  if (template && !records.templates.has(template.id))
    missing.push({ path: template.path, message: 'Template not found. See GET /templates.' })
  if (action.type === 'start_bot' && !records.bots.has(action.botId.toLowerCase()))
    missing.push({ path: 'botId', message: 'Bot not found. See GET /bots.' })
  const team = teamOf(action)
  if (team !== undefined && !records.teams.has(team))
    missing.push({ path: 'teamId', message: 'Team not found. See GET /teams.' })
  const number = 'phoneNumberId' in action ? action.phoneNumberId : undefined
  if (number && !records.numberIds.has(number.toLowerCase()))
    missing.push({ path: 'phoneNumberId', message: 'Number not found. See GET /phone-numbers.' })
  return missing
}
