/** Defines the commands of the auto-replies page, for the palette and for keys. */
import { type Command, createCommand } from '../commands.ts'
import type en from './en.json'

export type AutoRepliesContext = { mayWrite: boolean; create: () => void; openHours: () => void }

export const AUTO_REPLIES_COMMANDS: readonly Command<
  AutoRepliesContext,
  Extract<keyof typeof en, `action.${string}`>
>[] = [
  createCommand('auto-replies-new', 'action.new'),
  { id: 'auto-replies-hours', title: 'action.hours', run: (context) => context.openHours() },
]
