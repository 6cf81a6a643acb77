/** Changes tasks, with a notice and undo. */
import type { Task } from '../../../sdk/api.ts'
import { workspaceNow } from '../../kit/time.tsx'
import { notify } from '../../kit/toasts.tsx'
import { notifyError } from '../../shell/notify-error.ts'
import { changeTask, type TaskPatch } from '../queries.ts'
import { t } from '../texts.ts'

/** Returns the values of a task that a patch replaces. */
const previousValues = (task: Task, patch: TaskPatch): TaskPatch => ({
  ...(patch.status !== undefined && { status: task.status }),
  ...(patch.status !== undefined && task.status === 'done' && { outcome: task.outcome }),
  ...(patch.dueAt !== undefined && { dueAt: task.dueAt }),
  ...(patch.assignee !== undefined && { assignee: task.assignee?.id ?? null }),
  ...(patch.priority !== undefined && { priority: task.priority }),
  ...(patch.title !== undefined && { title: task.title }),
})

/** Changes a task, shows a notice, and offers undo; returns whether it was changed. */
export async function changeTaskWithUndo(task: Task, patch: TaskPatch, notice: string): Promise<boolean> {
  const undo = previousValues(task, patch)
  try {
    await changeTask(task, patch)
    notify({
      title: notice,
      kind: 'good',
      action: { label: t('undo'), run: () => void changeTask(task, undo).catch(notifyError) },
    })
    return true
  } catch (error) {
    notifyError(error)
    return false
  }
}

/** Returns the same hour of tomorrow. */
export function tomorrowOf(dueAt: string, now: number): string {
  const due = new Date(dueAt)
  const day = new Date(now)
  day.setDate(day.getDate() + 1)
  day.setHours(due.getHours(), due.getMinutes(), 0, 0)
  return day.toISOString()
}

export const postpone = (task: Task): void =>
  void changeTaskWithUndo(task, { dueAt: tomorrowOf(task.dueAt, workspaceNow()) }, t('notice.tomorrow'))
export const cancel = (task: Task): void =>
  void changeTaskWithUndo(task, { status: 'cancelled' }, t('notice.cancelled'))
export const reopen = (task: Task): void =>
  void changeTaskWithUndo(task, { status: 'pending' }, t('notice.reopened'))
