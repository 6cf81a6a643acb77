/** Evaluates conditions in the language of lead filters. */
import type { Context } from '../../../core/context.ts'
import { readOpen } from '../../business-hours/operations.ts'
import type { FilterCondition } from '../../crm/filter-schema.ts'
import { type AskedCondition, judgeConditions } from '../../crm/operations/judge-conditions.ts'
import {
  type AskedAs,
  CONTACT_ATTRIBUTE,
  CONTACT_FIELDS,
  CONVERSATION_FIELDS,
  contactAttribute,
  eventField,
  openField,
} from '../condition-fields.ts'
import { valueAt } from '../known-paths.ts'
import type { Conditions } from '../schema.ts'
import type { Scene } from './subjects.ts'
import { asOfToday } from './today.ts'

export const LEAD_PREFIX = 'lead.'
export const EVENT_PREFIX = 'event.'
export const OPEN_FIELD = 'now.open'

/** Returns how to evaluate a field other than a lead's; undefined if the field is unknown. */
export function askedAs(
  field: string,
  scene: { event: unknown; isOpen: boolean | undefined },
): AskedAs | undefined {
  if (field === OPEN_FIELD) return openField(scene.isOpen)
  if (field.startsWith(EVENT_PREFIX))
    return eventField(valueAt(scene.event, field.slice(EVENT_PREFIX.length).split('.')))
  if (field.startsWith(CONTACT_ATTRIBUTE) && field.length > CONTACT_ATTRIBUTE.length)
    return contactAttribute(field.slice(CONTACT_ATTRIBUTE.length))
  const all = { ...CONTACT_FIELDS, ...CONVERSATION_FIELDS }
  return Object.hasOwn(all, field) ? all[field] : undefined
}

/** Returns a condition as a condition on a lead. Lead fields lose their prefix. */
export const asLeadCondition = (condition: FilterCondition, as: AskedAs | undefined): FilterCondition => ({
  ...condition,
  field: as?.field ?? condition.field.slice(LEAD_PREFIX.length),
})

export type Judged = { held: boolean[]; all: boolean; why: string | null }

/** Evaluates each condition and their combination. A missing subject is empty. */
export async function judge(ctx: Context, scene: Scene, given: Conditions): Promise<Judged> {
  const { match, conditions } = asOfToday(ctx, given)
  const moments = conditions.some(({ field }) => field === OPEN_FIELD) ? [ctx] : []
  const isOpen = (await readOpen(ctx, moments)).get(ctx.workspace.id)
  const asked = conditions.map((condition): AskedCondition => {
    const as = condition.field.startsWith(LEAD_PREFIX)
      ? undefined
      : askedAs(condition.field, { event: scene.event?.data, isOpen })
    const of = as
      ? { values: as.valuesOf(scene) }
      : scene.leadId === undefined
        ? { values: {} }
        : { leadId: scene.leadId }
    return { condition: asLeadCondition(condition, as), of }
  })
  const { held, issues } = await judgeConditions(ctx, scene.words, asked)
  const all = match === 'all' || held.length === 0 ? held.every(Boolean) : held.some(Boolean)
  return { held, all, why: issues[0]?.message ?? null }
}
