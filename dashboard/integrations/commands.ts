/** Defines the commands of the integrations page, for the palette and for keys. */
import type { Command } from '../commands.ts'
import type en from './en.json'

export type IntegrationsContext = {
  mayTest: boolean
  openTestOrder: () => void
  showAll: () => void
}

export const INTEGRATIONS_COMMANDS: readonly Command<
  IntegrationsContext,
  Extract<keyof typeof en, `action.${string}`>
>[] = [
  {
    id: 'integrations-try',
    title: 'action.try',
    keys: 'c',
    when: (context) => context.mayTest,
    run: (context) => context.openTestOrder(),
  },
  { id: 'integrations-all', title: 'action.all', run: (context) => context.showAll() },
]
