/** What customers read of their bookings. Who may not be written to just now is not: it is a courtesy, and refuses nothing. */
import type { Context } from '../../../core/context.ts'
import { findContactsOf } from '../../contacts/operations/find-contact.ts'
import { sendMessages } from '../../messages/sending/operations/send-messages.ts'
import type { SendBody } from '../../messages/sending/send-schema.ts'

/** Where a contact is written to; undefined: nobody is there any more. */
async function addressOf(ctx: Context, contactId: string | null): Promise<string | undefined> {
  if (contactId === null) return undefined
  const found = await findContactsOf(ctx, [{ workspaceId: ctx.workspace.id, contactId }])
  return found.get(contactId)?.phone
}

/** Sends what may be sent. */
export async function writeTo(
  ctx: Context,
  contactId: string | null,
  message: Pick<SendBody, 'type' | 'text' | 'payload'>,
): Promise<void> {
  const to = await addressOf(ctx, contactId)
  if (to !== undefined) await sendMessages([{ ctx, body: { ...message, to } }])
}
