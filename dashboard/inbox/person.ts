import type { Conversation } from '../../sdk/api.ts'

/** Returns a customer's name in lists: the name, otherwise the number. */
export const nameOf = ({ contact }: Pick<Conversation, 'contact'>): string =>
  contact.name ?? contact.username ?? contact.phone ?? '—'

/** Returns the recipient of a message, and which of our numbers sends it. */
export function recipientOf({ contact, phoneNumberId }: Conversation) {
  return { ...(contact.phone ? { to: contact.phone } : { recipient: contact.userId ?? '' }), phoneNumberId }
}
