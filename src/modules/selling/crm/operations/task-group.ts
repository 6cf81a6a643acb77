import type { Borders, TaskRow } from '../queries/tasks.ts'
import type { TaskGroup } from '../task-schema.ts'

/** Returns the group of a task (spec 3). */
export function groupOf(task: Pick<TaskRow, 'status' | 'dueAt'>, { now, midnight }: Borders): TaskGroup {
  if (task.status !== 'pending') return task.status
  if (task.dueAt < now) return 'overdue'
  return task.dueAt < midnight ? 'today' : 'upcoming'
}
