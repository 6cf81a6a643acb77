import { type Command, createCommand } from '../commands.ts'
import type en from './en.json'

/** Defines the commands of the templates page. */
export type TemplatesContext = { mayWrite: boolean; create: () => void; sync: () => void; search: () => void }

export const TEMPLATE_COMMANDS: readonly Command<TemplatesContext, keyof typeof en>[] = [
  createCommand('create', 'create'),
  { id: 'search', title: 'search', keys: '/', run: (context) => context.search() },
  { id: 'sync', title: 'sync', when: (context) => context.mayWrite, run: (context) => context.sync() },
]
