import type { Context } from '../../../core/context.ts'
import { type ContactRow, updateContactRows } from '../queries.ts'
import { getContactForUpdate } from './find-contact.ts'

/**
 * Writes down the customer's own word on being written to: STOP and its kin opt out, and the API
 * cannot lift that; START and its kin lift any opt-out and count as an opt-in, but say nothing where
 * there was none (docs/decisions/customer-consent.md). Silent: no person of the business did it (spec 6.3).
 * `source` is kept as the contact's optInSource. Returns the contact as it stands.
 */
export async function setCustomerConsent(
  ctx: Context,
  contactId: string,
  word: 'opted_out' | 'lifted',
  source: string,
): Promise<ContactRow> {
  const contact = await getContactForUpdate(ctx, contactId)
  const already = word === 'opted_out' ? contact.refusedByCustomer : contact.optInStatus !== 'opted_out'
  if (already) return contact
  const changed: ContactRow = {
    ...contact,
    optInStatus: word === 'opted_out' ? 'opted_out' : 'opted_in',
    refusedByCustomer: word === 'opted_out',
    optInSource: source,
    updatedAt: ctx.now,
  }
  await updateContactRows(ctx.tx, [changed])
  return changed
}
