import { isDeepStrictEqual } from 'node:util'
import { beforeCommit, type Context, type Unit } from '../../../../core/context.ts'
import { invalid, Refusal } from '../../../../core/errors.ts'
import { emit, touch } from '../../../../core/event.ts'
import { CHANGEABLE, contactUpdated } from '../events.ts'
import { type ContactRow, updateContactRows } from '../queries/contacts.ts'
import { type ChangedContact, type ContactPatch, nameOf } from '../schema.ts'
import { recordTagChanges } from './contact-tags.ts'
import { attributesRefusal, readFieldRules } from './field-rules.ts'
import { getContactForUpdate, isNamedBy } from './find-contact.ts'
import { mergeAttributes } from './merge-attributes.ts'
import { recordTagsInUse } from './tags.ts'

export type Changed = (typeof CHANGEABLE)[number]

/**
 * Returns the contact with `patch` applied: attributes merge (null removes a key), other fields are replaced.
 * Returns a refusal when the customer's own opt-out forbids the change (spec 2.6, 4.4).
 */
export function patched(contact: ContactRow, patch: ContactPatch): ContactRow | Refusal {
  if (contact.refusedByCustomer && patch.optInStatus !== undefined && patch.optInStatus !== 'opted_out')
    return new Refusal('contact_opted_out', 'The customer opted out. Only the customer can opt back in.')
  const attributes = mergeAttributes(contact.attributes, patch.attributes, 'contact')
  if (attributes instanceof Refusal) return attributes
  return {
    ...contact,
    displayName: patch.displayName === undefined ? contact.displayName : patch.displayName,
    language: patch.language === undefined ? contact.language : patch.language,
    tags: patch.tags ?? contact.tags,
    attributes,
    optInStatus: patch.optInStatus ?? contact.optInStatus,
    // For a customer's own opt-out, this field is the proof.
    optInSource:
      patch.optInSource === undefined || contact.refusedByCustomer ? contact.optInSource : patch.optInSource,
  }
}

/** Returns which of the announced fields differ. */
export const changedFields = (before: ContactRow, after: ContactRow): Changed[] =>
  CHANGEABLE.filter((field) => !isDeepStrictEqual(before[field], after[field]))

/** Fires the event for a contact that a person changed. Changes by the platform fire no event (spec 6.3). */
export function announceChange(ctx: Context, contact: ContactRow, changed: Changed[]): void {
  if (ctx.via !== 'api' && ctx.via !== 'dashboard') {
    touch(ctx, { contact: contact.id })
    return
  }
  emit(
    ctx,
    contactUpdated,
    {
      contactId: contact.id,
      phone: contact.phone,
      name: nameOf(contact),
      changed,
      tags: contact.tags,
      optInStatus: contact.optInStatus,
      blocked: contact.blocked,
      via: ctx.via,
      updatedAt: contact.updatedAt.toISOString(),
    },
    { contactId: contact.id },
  )
}

/**
 * Returns a refusal when the patch names a number other than the contact's. The contact's own number is
 * accepted.
 */
async function otherNumberRefusal(
  ctx: Context,
  contact: ContactRow,
  numbers: Pick<ChangedContact, 'phone' | 'e164'>,
): Promise<Refusal | undefined> {
  for (const path of ['phone', 'e164'] as const) {
    const named = numbers[path]
    if (named !== undefined && !(await isNamedBy(ctx, contact, named)))
      return invalid([
        { path, message: "Must be the contact's number. A contact's number can't be changed." },
      ])
  }
  return undefined
}

/** Changes one contact (spec 4.4). A patch that changes nothing writes nothing and fires no event. */
export async function updateContact(ctx: Context, ref: string, patch: ChangedContact): Promise<ContactRow> {
  const before = await getContactForUpdate(ctx, ref)
  const refusal = await otherNumberRefusal(ctx, before, patch)
  if (refusal) throw refusal
  const write = { workspaceId: ctx.workspace.id, attributes: patch.attributes }
  const after = attributesRefusal(await readFieldRules(ctx, [write]), write) ?? patched(before, patch)
  if (after instanceof Refusal) throw after
  const [updated] = await storeChanges(ctx, [{ ctx, before, after }])
  return updated!
}

/** A contact as it was when the transaction locked it, and after the change. */
export type ContactChange = { ctx: Context; before: ContactRow; after: ContactRow }

/**
 * Writes people's changes to contacts that the transaction has locked, and fires their events. Each contact
 * is in the list once. Returns the current contacts, in order; unchanged contacts are not written.
 */
export async function storeChanges(unit: Unit, changes: ContactChange[]): Promise<ContactRow[]> {
  const tagged: ContactChange[] = []
  const written: ContactRow[] = []
  const rows = changes.map(({ ctx, before, after }) => {
    const changed = changedFields(before, after)
    if (changed.length === 0) return before
    const row = { ...after, updatedAt: ctx.now }
    written.push(row)
    announceChange(ctx, row, changed)
    if (changed.includes('tags')) tagged.push({ ctx, before, after: row })
    return row
  })
  if (written.length > 0) beforeCommit(unit, updateContactRows(unit.tx, written))
  if (tagged.length > 0) {
    const inUse = tagged.map(({ ctx, after: { tags } }) => ({ ctx, tags }))
    beforeCommit(unit, recordTagsInUse(unit, inUse))
    beforeCommit(unit, recordTagChanges(unit, tagged))
  }
  return rows
}
