import type { Conversation } from '../../sdk/api.ts'

/** How somebody is called in lists: the name, else the number. */
export const nameOf = ({ contact }: Pick<Conversation, 'contact'>): string =>
  contact.name ?? contact.username ?? contact.phone ?? '—'
