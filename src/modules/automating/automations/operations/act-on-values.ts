/** Actions on tags and fields of the contact or its lead. */
import type { z } from 'zod'
import { invalid, refuse } from '../../../../core/errors.ts'
import { issuesOf } from '../../../../core/issues.ts'
import { updateContact } from '../../../messaging/contacts/operations/change-contact.ts'
import { getContactForUpdate } from '../../../messaging/contacts/operations/find-contact.ts'
import { undeclaredFields, unknownTags } from '../../../messaging/contacts/operations/known-names.ts'
import { ContactPatch } from '../../../messaging/contacts/schema.ts'
import { updateLead } from '../../../selling/crm/operations/change-lead.ts'
import { LeadPatch } from '../../../selling/crm/schema.ts'
import type { ActionOf } from '../action-schema.ts'
import { type ActionContext, contactOf, leadOf, type Result, wordsOf } from './action-context.ts'

/** Refuses deleted tags. */
export async function requireTags({ ctx }: ActionContext, tags: readonly string[]): Promise<void> {
  const [unknown] = await unknownTags(ctx, tags)
  if (unknown !== undefined) refuse('invalid_reference', `The tag "${unknown}" was deleted. Choose another.`)
}

export async function addTags(context: ActionContext, { tags, on }: ActionOf<'add_tags'>): Promise<Result> {
  await requireTags(context, tags)
  if (on === 'lead') {
    const { lead, changed } = await updateLead(context.ctx, leadOf(context).id, { addTags: tags })
    return { leadId: lead.id, changed }
  }
  const { tags: currentTags } = await getContactForUpdate(context.ctx, contactOf(context).id)
  return changeContact(context, { tags: [...new Set([...currentTags, ...tags])] })
}

export async function removeTags(
  context: ActionContext,
  { tags, on }: ActionOf<'remove_tags'>,
): Promise<Result> {
  if (on === 'lead') {
    const { lead, changed } = await updateLead(context.ctx, leadOf(context).id, { removeTags: tags })
    return { leadId: lead.id, changed }
  }
  const { tags: currentTags } = await getContactForUpdate(context.ctx, contactOf(context).id)
  return changeContact(context, { tags: currentTags.filter((tag) => !tags.includes(tag)) })
}

function parsed<Shape extends z.ZodType>(shape: Shape, value: unknown): z.output<Shape> {
  const result = shape.safeParse(value)
  if (!result.success) throw invalid(issuesOf(result.error, shape))
  return result.data
}

async function changeContact(context: ActionContext, patch: unknown): Promise<Result> {
  const { id } = await updateContact(context.ctx, contactOf(context).id, parsed(ContactPatch, patch))
  return { contactId: id }
}

export const ATTRIBUTES = 'attributes.'
export const CONTACT_TARGETS = ['displayName']
export const LEAD_TARGETS = ['name', 'email', 'source', 'rating', 'dealValue']

/** Returns the patch that sets a field, named without its subject, to a value. */
const patchOf = (name: string, value: unknown): Record<string, unknown> =>
  name.startsWith(ATTRIBUTES) ? { attributes: { [name.slice(ATTRIBUTES.length)]: value } } : { [name]: value }

/** Returns the errors of a value for a field, for any contact or lead. */
export function issuesOfValue(subject: string, name: string, value: unknown): string[] {
  const shape = subject === 'contact' ? ContactPatch : LeadPatch
  const result = shape.safeParse(patchOf(name, value))
  return result.success ? [] : issuesOf(result.error, shape).map(({ message }) => message)
}

/** Sets a field. Fills in placeholders of a text; null empties the field. */
export async function setField(
  context: ActionContext,
  { field, value }: ActionOf<'set_field'>,
): Promise<Result> {
  const [subject = '', ...rest] = field.split('.')
  const name = rest.join('.')
  const filledValue = typeof value === 'string' ? wordsOf(context, value) : value
  const key = name.slice(ATTRIBUTES.length)
  const patch = patchOf(name, filledValue)
  if (subject === 'contact') {
    if (name.startsWith(ATTRIBUTES) && (await undeclaredFields(context.ctx, [key])).length > 0)
      refuse('invalid_reference', `The field "${key}" was deleted. Choose another.`)
    return changeContact(context, patch)
  }
  const { lead, changed } = await updateLead(context.ctx, leadOf(context).id, parsed(LeadPatch, patch))
  return { leadId: lead.id, changed }
}
