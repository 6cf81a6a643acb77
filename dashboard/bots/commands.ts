/** Defines the commands of the bots page, for the palette and for keys. */
import { type Command, moveCommands } from '../commands.ts'
import type en from './en.json'

export type BotsContext = {
  mayEdit: boolean
  isOpen: boolean
  createBot: () => void
  move: (by: 1 | -1) => void
  save: (() => void) | undefined
  showAll: () => void
}

type Action = 'action.new' | 'action.next' | 'action.previous' | 'action.save' | 'action.all'

export const BOTS_COMMANDS: readonly Command<BotsContext, Extract<keyof typeof en, Action>>[] = [
  {
    id: 'bots-new',
    title: 'action.new',
    keys: 'c',
    when: (context) => context.mayEdit && !context.isOpen,
    run: (context) => context.createBot(),
  },
  ...moveCommands('bots'),
  {
    id: 'bots-save',
    title: 'action.save',
    keys: '$mod+s',
    when: (context) => context.save !== undefined,
    run: (context) => context.save?.(),
  },
  {
    id: 'bots-all',
    title: 'action.all',
    when: (context) => context.isOpen,
    run: (context) => context.showAll(),
  },
]
