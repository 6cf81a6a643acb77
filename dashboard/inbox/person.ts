import type { Conversation } from '../../sdk/api.ts'

/** Returns a customer's name in lists: the name, otherwise the number. */
export const nameOf = ({ contact }: Pick<Conversation, 'contact'>): string =>
  contact.name ?? contact.username ?? contact.phone ?? '—'

/** Returns whether a chat is a direct chat of the photo network. */
export const isDirect = ({ channel }: Pick<Conversation, 'channel'>): boolean => channel === 'social'

/** Returns how a customer is reached: their number, or their username on the photo network. */
export const addressOf = ({ contact, channel }: Pick<Conversation, 'contact' | 'channel'>): string | null =>
  channel === 'social' ? contact.username && `@${contact.username}` : contact.phone

/** Returns how a request names a customer: by number, or by id if the number is hidden from the member. */
const requestAddressOf = ({ id, phone }: { id: string; phone: string }): string =>
  phone.includes('•') ? `contact:${id}` : phone

/** Returns the recipient of a message, and which of our numbers sends it. */
export function recipientOf({ contact, phoneNumberId }: Conversation) {
  return {
    ...(contact.phone
      ? { to: requestAddressOf({ id: contact.id, phone: contact.phone }) }
      : { recipient: contact.userId ?? '' }),
    phoneNumberId,
  }
}
