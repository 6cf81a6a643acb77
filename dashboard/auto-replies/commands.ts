/** Defines the commands of the auto-replies page, for the palette and for keys. */
import type { Command } from '../commands.ts'
import type en from './en.json'

export type AutoRepliesContext = { mayEdit: boolean; createReply: () => void; openHours: () => void }

export const AUTO_REPLIES_COMMANDS: readonly Command<
  AutoRepliesContext,
  Extract<keyof typeof en, `action.${string}`>
>[] = [
  {
    id: 'auto-replies-new',
    title: 'action.new',
    keys: 'c',
    when: (context) => context.mayEdit,
    run: (context) => context.createReply(),
  },
  { id: 'auto-replies-hours', title: 'action.hours', run: (context) => context.openHours() },
]
