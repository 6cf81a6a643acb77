/** Defines the commands of the contact pages, for the palette and for keys. */
import type { Contact } from '../../sdk/api.ts'
import { type Command, createCommand, moveCommands } from '../commands.ts'
import type en from './en.json'

export type ContactsContext = {
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

export const CONTACTS_COMMANDS: readonly Command<ContactsContext, Title>[] = [
  ...moveCommands('contacts'),
  {
    id: 'contacts-open',
    title: 'action.open',
    keys: 'Enter',
    when: ({ contact }) => contact !== undefined,
    run: (context) => context.open(),
  },
  {
    id: 'contacts-select',
    title: 'action.select',
    keys: 'x',
    when: ({ contact, mayWrite }) => mayWrite && contact !== undefined,
    run: (context) => context.select(),
  },
  createCommand('contacts-new', 'action.new'),
  {
    id: 'contacts-import',
    title: 'action.import',
    when: (context) => context.mayWrite,
    run: (context) => context.importFile(),
  },
  { id: 'contacts-search', title: 'action.search', keys: '/', run: (context) => context.search() },
]

export type ContactContext = { goBack: () => void; mayMerge: boolean; merge: () => void }
export const CONTACT_COMMANDS: readonly Command<ContactContext, Title>[] = [
  { id: 'contact-back', title: 'action.back', keys: 'Escape', run: (context) => context.goBack() },
  {
    id: 'contact-merge',
    title: 'action.merge',
    when: (context) => context.mayMerge,
    run: (context) => context.merge(),
  },
]
