/** Actions on tags and fields of the contact or its lead. */
import type { z } from 'zod'
import { invalid, refuse } from '../../../core/errors.ts'
import { issuesOf } from '../../../core/issues.ts'
import { updateContact } from '../../contacts/operations/change-contact.ts'
import { getContactForUpdate } from '../../contacts/operations/find-contact.ts'
import { undeclaredFields, unknownTags } from '../../contacts/operations/known-names.ts'
import { ContactPatch } from '../../contacts/schema.ts'
import { updateLead } from '../../crm/operations/change-lead.ts'
import { LeadPatch } from '../../crm/schema.ts'
import type { ActionOf } from '../schema.ts'
import { type Acting, contactOf, leadOf, type Result, wordsOf } from './acting.ts'

/** Refuses deleted tags. */
export async function requireTags({ ctx }: Acting, tags: readonly string[]): Promise<void> {
  const [unknown] = await unknownTags(ctx, tags)
  if (unknown !== undefined) refuse('invalid_reference', `The tag "${unknown}" was deleted. Choose another.`)
}

export async function addTags(acting: Acting, { tags, on }: ActionOf<'add_tags'>): Promise<Result> {
  await requireTags(acting, tags)
  if (on === 'lead') {
    const { lead, changed } = await updateLead(acting.ctx, leadOf(acting).id, { addTags: tags })
    return { leadId: lead.id, changed }
  }
  const { tags: had } = await getContactForUpdate(acting.ctx, contactOf(acting).id)
  return changeContact(acting, { tags: [...new Set([...had, ...tags])] })
}

export async function removeTags(acting: Acting, { tags, on }: ActionOf<'remove_tags'>): Promise<Result> {
  if (on === 'lead') {
    const { lead, changed } = await updateLead(acting.ctx, leadOf(acting).id, { removeTags: tags })
    return { leadId: lead.id, changed }
  }
  const { tags: had } = await getContactForUpdate(acting.ctx, contactOf(acting).id)
  return changeContact(acting, { tags: had.filter((tag) => !tags.includes(tag)) })
}

function parsed<Shape extends z.ZodType>(shape: Shape, value: unknown): z.output<Shape> {
  const judged = shape.safeParse(value)
  if (!judged.success) throw invalid(issuesOf(judged.error, shape))
  return judged.data
}

async function changeContact(acting: Acting, patch: unknown): Promise<Result> {
  const { id } = await updateContact(acting.ctx, contactOf(acting).id, parsed(ContactPatch, patch))
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
  const judged = shape.safeParse(patchOf(name, value))
  return judged.success ? [] : issuesOf(judged.error, shape).map(({ message }) => message)
}

/** Sets a field. Fills in placeholders of a text; null empties the field. */
export async function setField(acting: Acting, { field, value }: ActionOf<'set_field'>): Promise<Result> {
  const [subject = '', ...rest] = field.split('.')
  const name = rest.join('.')
  const set = typeof value === 'string' ? wordsOf(acting, value) : value
  const key = name.slice(ATTRIBUTES.length)
  const patch = patchOf(name, set)
  if (subject === 'contact') {
    if (name.startsWith(ATTRIBUTES) && (await undeclaredFields(acting.ctx, [key])).length > 0)
      refuse('invalid_reference', `The field "${key}" was deleted. Choose another.`)
    return changeContact(acting, patch)
  }
  const { lead, changed } = await updateLead(acting.ctx, leadOf(acting).id, parsed(LeadPatch, patch))
  return { leadId: lead.id, changed }
}
