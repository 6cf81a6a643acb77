/** Defines the commands of the contact pages, for the palette and for keys. */
import type { Contact } from '../../sdk/api.ts'
import type { Command } from '../commands.ts'
import type en from './en.json'

export type ContactsAt = {
  /** The contact selected by keyboard. */
  contact: Contact | undefined
  mayWrite: boolean
  create: () => void
  importFile: () => void
  open: () => void
  select: () => void
  search: () => void
  move: (by: 1 | -1) => void
}
type Title = Extract<keyof typeof en, `action.${string}`>

export const CONTACTS_COMMANDS: readonly Command<ContactsAt, Title>[] = [
  { id: 'contacts-next', title: 'action.next', keys: 'j', run: (at) => at.move(1) },
  { id: 'contacts-previous', title: 'action.previous', keys: 'k', run: (at) => at.move(-1) },
  {
    id: 'contacts-open',
    title: 'action.open',
    keys: 'Enter',
    when: ({ contact }) => contact !== undefined,
    run: (at) => at.open(),
  },
  {
    id: 'contacts-select',
    title: 'action.select',
    keys: 'x',
    when: ({ contact, mayWrite }) => mayWrite && contact !== undefined,
    run: (at) => at.select(),
  },
  {
    id: 'contacts-new',
    title: 'action.new',
    keys: 'c',
    when: (at) => at.mayWrite,
    run: (at) => at.create(),
  },
  {
    id: 'contacts-import',
    title: 'action.import',
    when: (at) => at.mayWrite,
    run: (at) => at.importFile(),
  },
  { id: 'contacts-search', title: 'action.search', keys: '/', run: (at) => at.search() },
]

export type ContactAt = { back: () => void; mayMerge: boolean; merge: () => void }
export const CONTACT_COMMANDS: readonly Command<ContactAt, Title>[] = [
  { id: 'contact-back', title: 'action.back', keys: 'Escape', run: (at) => at.back() },
  { id: 'contact-merge', title: 'action.merge', when: (at) => at.mayMerge, run: (at) => at.merge() },
]
