import type { Context } from '../../../core/context.ts'
import type { ContactRow } from '../queries/contacts.ts'
import { storeChanges } from './change-contact.ts'
import { getContactForUpdate } from './find-contact.ts'

/**
 * Writes down that the operator keeps a contact from writing, or no longer does, and announces it as any change
 * that people make (spec 6.3). Sends to a blocked contact are refused. `not_found` when it was erased meanwhile.
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
