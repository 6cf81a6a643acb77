import { DAY_MS, later } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import { emit, retract } from '../../../../core/event.ts'
import { INTAKE_TURN, lockInWorkspace } from '../../../../database/sql/workspace-lock.ts'
import { recordActivity } from '../../../platform/workspaces/operations/activity.ts'
import { contactDeleted } from '../events.ts'
import { beginErasure, deleteContactRow, lockErasures } from '../queries/contacts.ts'
import { countContacts, lockContactRoom, settleContactRoom } from './contact-room.ts'
import { getContactForUpdate } from './find-contact.ts'

/**
 * Prevents erasures in the workspace until the transaction ends. For operations that write to many contacts
 * without a lock on each of them. Call it before reading the contacts.
 */
export const holdOffErasures = (ctx: Context): Promise<unknown> => lockErasures(ctx, { shared: true })

/** Days for which the operator repeats undelivered reports. Hashes of erased records are kept as long. */
export const REPEATED_DAYS = 7

/**
 * Erases a contact with all its data. The database deletes its chats, messages, and notes and removes
 * personal data from its events in the same transaction (docs/decisions/retention.md).
 */
export async function eraseContact(ctx: Context, ref: string): Promise<void> {
  // Before any other lock: waits for transactions that apply the operator's reports.
  await lockInWorkspace(ctx.tx, ctx.workspace.id, INTAKE_TURN)
  await lockErasures(ctx, { shared: false })
  const room = await lockContactRoom(ctx, [ctx.workspace])
  const contact = await getContactForUpdate(ctx, ref)
  await beginErasure(ctx, later(ctx.now, -REPEATED_DAYS * DAY_MS))
  await deleteContactRow(ctx, contact.id)
  countContacts(room, ctx.workspace.id, -1)
  await settleContactRoom(ctx, room)
  await recordActivity(ctx, 'contact.erased', { contactId: contact.id })
  retract(ctx, { workspaceId: ctx.workspace.id, contactId: contact.id, message: null })
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
