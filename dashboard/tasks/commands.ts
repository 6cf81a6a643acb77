/** Defines the commands of the tasks page, for the palette and for keys. */
import type { Task } from '../../sdk/api.ts'
import type { Command } from '../commands.ts'
import type en from './en.json'

export type TasksAt = {
  /** The task selected by keyboard. */
  task: Task | undefined
  mayWrite: boolean
  create: () => void
  done: () => void
  tomorrow: () => void
  open: () => void
  toggleMine: () => void
  move: (by: 1 | -1) => void
}

const mayChange = ({ task, mayWrite }: TasksAt): boolean => mayWrite && task?.status === 'pending'

export const TASKS_COMMANDS: readonly Command<TasksAt, Extract<keyof typeof en, `action.${string}`>>[] = [
  { id: 'tasks-next', title: 'action.next', keys: 'j', run: (at) => at.move(1) },
  { id: 'tasks-previous', title: 'action.previous', keys: 'k', run: (at) => at.move(-1) },
  {
    id: 'tasks-new',
    title: 'action.new',
    keys: 'c',
    when: (at) => at.mayWrite,
    run: (at) => at.create(),
  },
  { id: 'tasks-done', title: 'action.done', keys: 'd', when: mayChange, run: (at) => at.done() },
  { id: 'tasks-tomorrow', title: 'action.tomorrow', keys: 'z', when: mayChange, run: (at) => at.tomorrow() },
  {
    id: 'tasks-open',
    title: 'action.open',
    keys: 'Enter',
    when: ({ task }) => task !== undefined,
    run: (at) => at.open(),
  },
  { id: 'tasks-mine', title: 'action.mine', keys: 'm', run: (at) => at.toggleMine() },
]
