import { type Command, createCommand } from '../commands.ts'
import type en from './en.json'

/** Defines the commands of the page of in-chat forms. */
export type FormsContext = { mayWrite: boolean; create: () => void; search: () => void }

export const FORM_COMMANDS: readonly Command<FormsContext, keyof typeof en>[] = [
  createCommand('create', 'create'),
  { id: 'search', title: 'search', keys: '/', run: (context) => context.search() },
]
