import type { Conversation } from '../../sdk/api.ts'

/** How somebody is called in lists: the name, else the number. */
export const nameOf = ({ contact }: Pick<Conversation, 'contact'>): string =>
  contact.name ?? contact.username ?? contact.phone ?? '—'

/** Where a message to them goes, and from which of our numbers. */
export function recipientOf({ contact, phoneNumberId }: Conversation) {
  return { ...(contact.phone ? { to: contact.phone } : { recipient: contact.userId ?? '' }), phoneNumberId }
}
