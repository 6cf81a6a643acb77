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
  { id: 'test', title: 'test', keys: 't', when: (at) => at.isActive, run: (at) => at.test() },
  {
    id: 'pause',
    title: 'pause',
    keys: 'p',
    when: (at) => at.isActive && !at.isStopped,
    run: (at) => at.pause(),
  },
  {
    id: 'resume',
    title: 'resume',
    keys: 'p',
    when: (at) => !at.isActive && !at.isStopped,
    run: (at) => at.pause(),
  },
  { id: 'edit', title: 'edit', keys: 'e', run: (at) => at.edit() },
  { id: 'replay', title: 'replay.title', when: (at) => at.isActive, run: (at) => at.replay() },
]

export const LIST_COMMANDS: readonly Command<{ create: () => void }, keyof typeof en>[] = [
  { id: 'create', title: 'create.title', keys: 'c', run: (at) => at.create() },
]
