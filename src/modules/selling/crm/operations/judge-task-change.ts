/** Decides what a patch makes of a task (spec 3, 4.5). Reads nothing. */
import { isDeepStrictEqual } from 'node:util'
import { invalid, Refusal } from '../../../../core/errors.ts'
import type { TaskRow } from '../queries/tasks.ts'
import type { TaskPatch } from '../task-schema.ts'
import { type LeadWords, ownerOf } from './present-lead.ts'
import { resolveOptionalMember } from './references.ts'

/** Returns the task with `patch` applied at `now`, or the error. */
export function judgeTaskChange(
  task: TaskRow,
  patch: TaskPatch,
  words: LeadWords,
  now: Date,
): TaskRow | Refusal {
  const status = patch.status ?? task.status
  if (task.status !== 'pending' && status !== 'pending' && status !== task.status)
    return new Refusal('conflict', `The task is ${task.status}. Reopen it first with status pending.`)
  if (typeof patch.outcome === 'string' && status !== 'done')
    return invalid([{ path: 'outcome', message: 'Must be left out unless status is done.' }])
  const assignee = resolveOptionalMember(patch.assignee, words.team, 'assignee')
  if (assignee instanceof Refusal) return assignee
  const next: TaskRow = {
    ...task,
    status,
    dueAt: patch.dueAt ?? task.dueAt,
    title: patch.title ?? task.title,
    type: patch.type ?? task.type,
    priority: patch.priority ?? task.priority,
    // A task of a former member counts as unassigned already.
    assigneeId:
      assignee === undefined || assignee?.id === ownerOf(words, task.assigneeId)?.id
        ? task.assigneeId
        : (assignee?.id ?? null),
    completedAt: status === 'done' ? (task.completedAt ?? now) : null,
    outcome: status !== 'done' ? null : patch.outcome === undefined ? task.outcome : patch.outcome,
  }
  return changedFields(task, next).length === 0 ? next : { ...next, updatedAt: now }
}

const FIELDS = ['status', 'dueAt', 'title', 'type', 'priority', 'assigneeId', 'outcome'] as const

/** Returns the names of the changed fields. */
export const changedFields = (before: TaskRow, after: TaskRow) =>
  FIELDS.filter((field) => !isDeepStrictEqual(before[field], after[field]))

/** Returns the kind of a change in the timeline. */
export function timelineKind(before: TaskRow, after: TaskRow): string {
  if (before.status === after.status) return 'task_changed'
  return { done: 'task_completed', cancelled: 'task_cancelled', pending: 'task_reopened' }[after.status]
}
