import { isoOf } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import { emit, touch } from '../../../../core/event.ts'
import { newId } from '../../../../core/ids.ts'
import { type ContactSource, contactCreated } from '../events.ts'
import type { ContactRow } from '../queries/contacts.ts'
import { nameOf } from '../schema.ts'

/** Returns a new contact with only its phone and user id. */
export const beginContact = (ctx: Context, phone: string, userId: string | null): ContactRow => ({
  workspaceId: ctx.workspace.id,
  id: newId(),
  channel: phone.startsWith('sx:') ? 'social' : 'chat',
  phone,
  userId,
  username: null,
  displayName: null,
  profileName: null,
  language: null,
  tags: [],
  attributes: {},
  optInStatus: 'unknown',
  optInSource: null,
  refusedByCustomer: false,
  consentAt: null,
  blocked: false,
  lastSeenAt: null,
  createdAt: ctx.now,
  updatedAt: ctx.now,
})

/** Announces a new contact. Imports and contacts created in the dashboard fire no event (spec 6.3). */
export function announceNewContact(ctx: Context, contact: ContactRow, source: ContactSource): void {
  if (ctx.via === 'import' || ctx.via === 'dashboard') {
    touch(ctx, { contact: contact.id })
    return
  }
  emit(
    ctx,
    contactCreated,
    {
      contactId: contact.id,
      phone: contact.phone,
      name: nameOf(contact),
      ...(contact.userId === null ? {} : { userId: contact.userId }),
      ...(contact.username === null ? {} : { username: contact.username }),
      source,
      createdAt: isoOf(contact.createdAt),
    },
    { contactId: contact.id },
  )
}
