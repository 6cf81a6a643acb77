/** Defines the commands of the tasks page, for the palette and for keys. */
import type { Task } from '../../sdk/api.ts'
import { type Command, createCommand, moveCommands } from '../commands.ts'
import type en from './en.json'

export type TasksContext = {
  /** The task selected by keyboard. */
  task: Task | undefined
  mayWrite: boolean
  create: () => void
  completeTask: () => void
  postponeTask: () => void
  openLead: () => void
  toggleMine: () => void
  move: (by: 1 | -1) => void
}

const mayChange = ({ task, mayWrite }: TasksContext): boolean => mayWrite && task?.status === 'pending'

export const TASKS_COMMANDS: readonly Command<TasksContext, Extract<keyof typeof en, `action.${string}`>>[] =
  [
    ...moveCommands('tasks'),
    createCommand('tasks-new', 'action.new'),
    {
      id: 'tasks-done',
      title: 'action.done',
      keys: 'd',
      when: mayChange,
      run: (context) => context.completeTask(),
    },
    {
      id: 'tasks-tomorrow',
      title: 'action.tomorrow',
      keys: 'z',
      when: mayChange,
      run: (context) => context.postponeTask(),
    },
    {
      id: 'tasks-open',
      title: 'action.open',
      keys: 'Enter',
      when: ({ task }) => task !== undefined,
      run: (context) => context.openLead(),
    },
    { id: 'tasks-mine', title: 'action.mine', keys: 'm', run: (context) => context.toggleMine() },
  ]
