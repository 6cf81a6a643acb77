/** Changes tasks, with a notice and undo. */
import type { Task } from '../../../sdk/api.ts'
import { workspaceNow } from '../../kit/time.tsx'
import { notify } from '../../kit/toasts.tsx'
import { dayAfterIn, fromZoneInput, toZoneInput } from '../../kit/zone-times.tsx'
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

/** Moves a task to the same hour of tomorrow, in the workspace's time zone. */
export function postpone(task: Task, zone: string): void {
  const day = dayAfterIn(zone, workspaceNow())
  const dueAt = fromZoneInput(zone, day + toZoneInput(zone, task.dueAt).slice(10))!
  void changeTaskWithUndo(task, { dueAt }, t('notice.tomorrow'))
}
export const cancel = (task: Task): void =>
  void changeTaskWithUndo(task, { status: 'cancelled' }, t('notice.cancelled'))
export const reopen = (task: Task): void =>
  void changeTaskWithUndo(task, { status: 'pending' }, t('notice.reopened'))
