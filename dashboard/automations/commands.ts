/** Defines the commands of the automations page, for the palette and for keys. */
import { type Command, createCommand } from '../commands.ts'
import type en from './en.json'

export type AutomationsContext = {
  mayWrite: boolean
  create: () => void
  showRecipes: () => void
  move: (by: 1 | -1) => void
}

export const LIST_COMMANDS: readonly Command<
  AutomationsContext,
  Extract<keyof typeof en, `command.${string}`>
>[] = [
  createCommand('automations-new', 'command.new'),
  {
    id: 'automations-recipes',
    title: 'command.recipes',
    when: (context) => context.mayWrite,
    run: (context) => context.showRecipes(),
  },
  { id: 'automations-next', title: 'command.next', keys: 'j', run: (context) => context.move(1) },
  { id: 'automations-previous', title: 'command.previous', keys: 'k', run: (context) => context.move(-1) },
]
