/** Evaluates conditions in the language of lead filters. */
import type { Context } from '../../../../core/context.ts'
import { readOpen } from '../../../platform/business-hours/operations.ts'
import type { FilterCondition } from '../../../selling/crm/filter-schema.ts'
import { type AskedCondition, judgeConditions } from '../../../selling/crm/operations/judge-conditions.ts'
import type { Conditions } from '../action-schema.ts'
import {
  CONTACT_ATTRIBUTE,
  CONTACT_FIELDS,
  CONVERSATION_FIELDS,
  contactAttribute,
  eventField,
  type LeadField,
  openField,
} from '../condition-fields.ts'
import { valueAt } from '../known-paths.ts'
import { fillToday } from './fill-dates.ts'
import type { Scene } from './subjects.ts'

export const LEAD_PREFIX = 'lead.'
export const EVENT_PREFIX = 'event.'
export const OPEN_FIELD = 'now.open'

/** Returns how to evaluate a field other than a lead's; undefined if the field is unknown. */
export function findLeadField(
  field: string,
  scene: { event: unknown; isOpen: boolean | undefined },
): LeadField | undefined {
  if (field === OPEN_FIELD) return openField(scene.isOpen)
  if (field.startsWith(EVENT_PREFIX))
    return eventField(valueAt(scene.event, field.slice(EVENT_PREFIX.length).split('.')))
  if (field.startsWith(CONTACT_ATTRIBUTE) && field.length > CONTACT_ATTRIBUTE.length)
    return contactAttribute(field.slice(CONTACT_ATTRIBUTE.length))
  const fields = { ...CONTACT_FIELDS, ...CONVERSATION_FIELDS }
  return Object.hasOwn(fields, field) ? fields[field] : undefined
}

/** Returns a condition as a condition on a lead. Lead fields lose their prefix. */
export const asLeadCondition = (
  condition: FilterCondition,
  leadField: LeadField | undefined,
): FilterCondition => ({
  ...condition,
  field: leadField?.field ?? condition.field.slice(LEAD_PREFIX.length),
})

export type Evaluation = { results: boolean[]; matches: boolean; reason: string | null }

/** Evaluates each condition and their combination. A missing subject is empty. */
export async function evaluateConditions(
  ctx: Context,
  scene: Scene,
  filter: Conditions,
): Promise<Evaluation> {
  const { match, conditions } = fillToday(ctx, filter)
  const moments = conditions.some(({ field }) => field === OPEN_FIELD) ? [ctx] : []
  const isOpen = (await readOpen(ctx, moments)).get(ctx.workspace.id)
  const leadConditions = conditions.map((condition): AskedCondition => {
    const leadField = condition.field.startsWith(LEAD_PREFIX)
      ? undefined
      : findLeadField(condition.field, { event: scene.event?.data, isOpen })
    const subject = leadField
      ? { values: leadField.valuesOf(scene) }
      : scene.leadId === undefined
        ? { values: {} }
        : { leadId: scene.leadId }
    return { condition: asLeadCondition(condition, leadField), of: subject }
  })
  const { held, issues } = await judgeConditions(ctx, scene.words, leadConditions)
  const matches = match === 'all' || held.length === 0 ? held.every(Boolean) : held.some(Boolean)
  return { results: held, matches, reason: issues[0]?.message ?? null }
}
