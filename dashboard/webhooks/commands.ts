/** Defines the commands for the open endpoint. */
import type { Command } from '../commands.ts'
import type en from './en.json'

export type EndpointAt = {
  isActive: boolean
  isStopped: boolean
  test: () => void
  pause: () => void
  edit: () => void
  replay: () => void
}

export const ENDPOINT_COMMANDS: readonly Command<EndpointAt, keyof typeof en>[] = [
  {
    id: 'test',
    title: 'test',
    keys: 't',
    when: (context) => context.isActive,
    run: (context) => context.test(),
  },
  {
    id: 'pause',
    title: 'pause',
    keys: 'p',
    when: (context) => context.isActive && !context.isStopped,
    run: (context) => context.pause(),
  },
  {
    id: 'resume',
    title: 'resume',
    keys: 'p',
    when: (context) => !context.isActive && !context.isStopped,
    run: (context) => context.pause(),
  },
  { id: 'edit', title: 'edit', keys: 'e', run: (context) => context.edit() },
  {
    id: 'replay',
    title: 'replay.title',
    when: (context) => context.isActive,
    run: (context) => context.replay(),
  },
]

export const LIST_COMMANDS: readonly Command<{ create: () => void }, keyof typeof en>[] = [
  { id: 'create', title: 'create.title', keys: 'c', run: (context) => context.create() },
]
