/** Defines the commands of the payments page, for the palette and for keys. */
import { type Command, moveCommands } from '../commands.ts'
import type en from './en.json'
import type { StatusFilter } from './queries.ts'

export type PaymentsContext = { move: (by: 1 | -1) => void; setStatus: (status: StatusFilter) => void }

export const PAYMENTS_COMMANDS: readonly Command<
  PaymentsContext,
  Extract<keyof typeof en, `action.${string}`>
>[] = [
  ...moveCommands('payments'),
  { id: 'payments-all', title: 'action.all', run: (context) => context.setStatus('all') },
  { id: 'payments-waiting', title: 'action.waiting', run: (context) => context.setStatus('sent') },
]
