import type { Context } from '../../../../core/context.ts'
import type { ContactRow } from '../queries/contacts.ts'
import { storeChanges } from './change-contact.ts'
import { getContactForUpdate } from './find-contact.ts'

/**
 * Stores whether the operator blocks a contact, and fires the same event as a change by a person (spec 6.3).
 * Sends to a blocked contact fail. Returns `not_found` if the contact was erased meanwhile.
 */
export async function setContactBlocked(
  ctx: Context,
  contactId: string,
  blocked: boolean,
): Promise<ContactRow> {
  const before = await getContactForUpdate(ctx, contactId)
  const [contact] = await storeChanges(ctx, [{ ctx, before, after: { ...before, blocked } }])
  return contact!
}
