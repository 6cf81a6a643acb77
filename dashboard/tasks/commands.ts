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
  { id: 'tasks-next', title: 'action.next', keys: 'j', run: (context) => context.move(1) },
  { id: 'tasks-previous', title: 'action.previous', keys: 'k', run: (context) => context.move(-1) },
  {
    id: 'tasks-new',
    title: 'action.new',
    keys: 'c',
    when: (context) => context.mayWrite,
    run: (context) => context.create(),
  },
  { id: 'tasks-done', title: 'action.done', keys: 'd', when: mayChange, run: (context) => context.done() },
  {
    id: 'tasks-tomorrow',
    title: 'action.tomorrow',
    keys: 'z',
    when: mayChange,
    run: (context) => context.tomorrow(),
  },
  {
    id: 'tasks-open',
    title: 'action.open',
    keys: 'Enter',
    when: ({ task }) => task !== undefined,
    run: (context) => context.open(),
  },
  { id: 'tasks-mine', title: 'action.mine', keys: 'm', run: (context) => context.toggleMine() },
]
