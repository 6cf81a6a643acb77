import type { Context, Unit } from '../../../../core/context.ts'
import type { Refusal } from '../../../../core/errors.ts'
import type { ContactRow } from '../queries/contacts.ts'
import { contactLimitReached } from './contact-room.ts'
import { findOrCreateContacts } from './find-or-create.ts'
import { announceNewContact, beginContact } from './new-contact.ts'

/** The recipient of a send: a number (E.164), or a chat-network user id when `phone` is null. */
export type NewRecipient = { ctx: Context } & ({ phone: string } | { phone: null; userId: string })

/**
 * Stores recipients that are new to the workspace, after every other check, because a refused send writes no
 * contact (spec 4.2). Returns one result per item, in order; `plan_limit_reached` for a new number past the
 * limit.
 */
export async function createContactsForSend(
  unit: Unit,
  items: NewRecipient[],
): Promise<(ContactRow | Refusal)[]> {
  const found = await findOrCreateContacts(
    unit,
    items.map((item) => ({
      ctx: item.ctx,
      fresh:
        item.phone === null
          ? beginContact(item.ctx, `chan:${item.userId}`, item.userId)
          : beginContact(item.ctx, item.phone, null),
    })),
  )
  return found.map((answer, index) => {
    const { ctx } = items[index]!
    if (answer === 'full') return contactLimitReached(ctx.workspace)
    if (answer.created) announceNewContact(ctx, answer.contact, 'api_send')
    return answer.contact
  })
}
