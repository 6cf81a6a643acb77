import type { Context } from '../../../core/context.ts'
import { emit } from '../../../core/event.ts'
import { recordActivity } from '../../workspaces/operations/activity.ts'
import { contactDeleted } from '../events.ts'
import { deleteContactRow, lockErasures } from '../queries/contacts.ts'
import { countContacts, lockContactRoom, settleContactRoom } from './contact-room.ts'
import { getContactForUpdate } from './find-contact.ts'

/**
 * Until the transaction ends nobody of the workspace is erased. For whoever writes to very many contacts at once and has
 * not locked them one by one; taken before the contacts are read.
 */
export const holdOffErasures = (ctx: Context): Promise<unknown> => lockErasures(ctx, true)

/**
 * Erases a contact with everything that hangs on it: the database deletes its chats, messages and
 * notes and strips its events in the same transaction (docs/decisions/contact-erasure.md).
 */
export async function eraseContact(ctx: Context, ref: string): Promise<void> {
  await lockErasures(ctx, false)
  const room = await lockContactRoom(ctx, [ctx.workspace])
  const contact = await getContactForUpdate(ctx, ref)
  await deleteContactRow(ctx, contact.id)
  countContacts(room, ctx.workspace.id, -1)
  await settleContactRoom(ctx, room)
  await recordActivity(ctx, 'contact.erased', { contactId: contact.id })
  emit(
    ctx,
    contactDeleted,
    {
      contactId: contact.id,
      phone: contact.phone,
      via: ctx.via === 'dashboard' ? 'dashboard' : 'api',
      deletedAt: ctx.now.toISOString(),
    },
    { contactId: contact.id },
  )
}
