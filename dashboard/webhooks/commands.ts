/** Defines the commands for the open endpoint. */
import type { Command } from '../commands.ts'
import type en from './en.json'

export type EndpointContext = {
  isActive: boolean
  isStopped: boolean
  sendTest: () => void
  togglePause: () => void
  openEdit: () => void
  openReplay: () => void
}

export const ENDPOINT_COMMANDS: readonly Command<EndpointContext, keyof typeof en>[] = [
  {
    id: 'test',
    title: 'test',
    keys: 't',
    when: (context) => context.isActive,
    run: (context) => context.sendTest(),
  },
  {
    id: 'pause',
    title: 'pause',
    keys: 'p',
    when: (context) => context.isActive && !context.isStopped,
    run: (context) => context.togglePause(),
  },
  {
    id: 'resume',
    title: 'resume',
    keys: 'p',
    when: (context) => !context.isActive && !context.isStopped,
    run: (context) => context.togglePause(),
  },
  { id: 'edit', title: 'edit', keys: 'e', run: (context) => context.openEdit() },
  {
    id: 'replay',
    title: 'replay.title',
    when: (context) => context.isActive,
    run: (context) => context.openReplay(),
  },
]

export const LIST_COMMANDS: readonly Command<{ create: () => void }, keyof typeof en>[] = [
  { id: 'create', title: 'create.title', keys: 'c', run: (context) => context.create() },
]
