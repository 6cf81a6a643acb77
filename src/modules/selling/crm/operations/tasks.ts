/**
 * Follow-ups on leads (spec 2.4, 3, 4.5). Every change of a task locks its lead, because the task decides the
 * lead's next follow-up.
 */
import type { Context } from '../../../../core/context.ts'
import { Refusal, refuse } from '../../../../core/errors.ts'
import { type EventKind, emit, touch } from '../../../../core/event.ts'
import { isUuid, newId } from '../../../../core/ids.ts'
import { notifyMembers } from '../../../platform/notifications/operations.ts'
import { type LeadRow, updateLeadRows } from '../queries/leads.ts'
import { findEarliestDue, findTaskRow, insertTaskRow, type TaskRow, updateTaskRow } from '../queries/tasks.ts'
import { insertTimelineRows } from '../queries/timeline.ts'
import { taskCompleted, taskCreated } from '../task-events.ts'
import type { NewTask, TaskPatch } from '../task-schema.ts'
import { getLeadForUpdate, readLeadWords } from './find-lead.ts'
import { changedFields, judgeTaskChange, timelineKind } from './judge-task-change.ts'
import { type LeadWords, leadInEvent, ownerOf } from './present-lead.ts'
import { resolveOptionalMember } from './references.ts'
import { timelineActor, timelineEntry } from './timeline.ts'

/** A task with its lead. */
export type TaskOfLead = { task: TaskRow; lead: LeadRow; words: LeadWords }

/** Creates a follow-up. Without an assignee in the request, it belongs to the lead's owner. */
export async function createTask(ctx: Context, body: NewTask): Promise<TaskOfLead> {
  const lead = await getLeadForUpdate(ctx, body.leadId)
  const words = await readLeadWords(ctx)
  const assignee = resolveOptionalMember(body.assignee, words.team, 'assignee')
  if (assignee instanceof Refusal) throw assignee
  const task: TaskRow = {
    workspaceId: ctx.workspace.id,
    id: newId(),
    leadId: lead.id,
    type: body.type,
    title: body.title,
    dueAt: body.dueAt,
    priority: body.priority,
    status: 'pending',
    assigneeId: assignee === undefined ? lead.ownerId : (assignee?.id ?? null),
    completedAt: null,
    outcome: null,
    createdAt: ctx.now,
    updatedAt: ctx.now,
    remindedFor: null,
  }
  await insertTaskRow(ctx, task)
  const taskOfLead = { task, lead, words }
  await note(ctx, taskOfLead, 'task_created', {
    dueAt: task.dueAt.toISOString(),
    assignee: assigneeOf(taskOfLead),
  })
  await updateFollowUp(ctx, lead)
  report(ctx, taskCreated, taskOfLead, { createdAt: ctx.now.toISOString() })
  await notifyAssignee(ctx, taskOfLead)
  return taskOfLead
}

/**
 * Completes, cancels, reopens, reschedules, reassigns, or edits a follow-up. A patch that changes nothing
 * writes nothing.
 */
export async function updateTask(ctx: Context, id: string, patch: TaskPatch): Promise<TaskOfLead> {
  const unlocked = (isUuid(id) ? await findTaskRow(ctx, id) : undefined) ?? noTask()
  const lead = await getLeadForUpdate(ctx, unlocked.leadId)
  const [words, locked] = await Promise.all([readLeadWords(ctx), findTaskRow(ctx, id)])
  const before = locked ?? noTask()
  const task = judgeTaskChange(before, patch, words, ctx.now)
  if (task instanceof Refusal) throw task
  const taskOfLead = { task, lead, words }
  const fields = changedFields(before, task)
  if (fields.length === 0) return taskOfLead
  const { workspaceId: _, id: __, leadId: ___, createdAt: ____, remindedFor: _____, ...columns } = task
  await updateTaskRow(ctx, before.id, columns)
  const changes = Object.fromEntries(fields.map((field) => [field, { from: before[field], to: task[field] }]))
  await note(ctx, taskOfLead, timelineKind(before, task), {
    ...changes,
    outcome: task.outcome,
    assignee: assigneeOf(taskOfLead),
  })
  await updateFollowUp(ctx, lead)
  touch(ctx, { task: task.id, lead: lead.id })
  if (fields.includes('assigneeId') && task.status === 'pending') await notifyAssignee(ctx, taskOfLead)
  if (task.status === 'done' && before.status !== 'done')
    report(ctx, taskCompleted, taskOfLead, { outcome: task.outcome, completedAt: ctx.now.toISOString() })
  return taskOfLead
}

const noTask = (): never => refuse('not_found', 'Task not found. See GET /tasks.')

/**
 * Sets the lead's next follow-up to its earliest pending task, or to the manually set time if it has none.
 */
async function updateFollowUp(ctx: Context, lead: LeadRow): Promise<void> {
  const due = (await findEarliestDue(ctx, lead.id)) ?? lead.manualFollowUpAt
  if (due?.getTime() === lead.nextFollowUpAt?.getTime()) return
  await updateLeadRows(ctx.tx, [{ ...lead, nextFollowUpAt: due, updatedAt: ctx.now }])
}

/** Returns the assignee in the form for responses and events. */
export function assigneeOf({ task, words }: TaskOfLead): { id: string; name: string } | null {
  const owner = ownerOf(words, task.assigneeId)
  return owner && { id: owner.id, name: owner.name }
}

const notifyAssignee = (ctx: Context, taskOfLead: TaskOfLead): Promise<void> =>
  notifyMembers(ctx, [
    {
      kind: 'task_assigned',
      memberId: assigneeOf(taskOfLead)?.id,
      title: taskOfLead.task.title,
      body: taskOfLead.lead.name ?? taskOfLead.lead.phone,
      subjectId: taskOfLead.task.id,
      parentId: taskOfLead.lead.id,
      contactId: taskOfLead.lead.contactId,
    },
  ])

const note = (ctx: Context, { task, lead, words }: TaskOfLead, kind: string, data: Record<string, unknown>) =>
  insertTimelineRows(ctx.tx, [
    timelineEntry(ctx, lead.id, timelineActor(ctx, words.team), kind, {
      taskId: task.id,
      title: task.title,
      type: task.type,
      ...data,
    }),
  ])

function report(ctx: Context, kind: EventKind, taskOfLead: TaskOfLead, more: Record<string, unknown>): void {
  const { task, lead, words } = taskOfLead
  const { id, title, type, priority, status } = task
  const eventTask = {
    id,
    title,
    type,
    priority,
    status,
    dueAt: task.dueAt.toISOString(),
    assignee: assigneeOf(taskOfLead),
  }
  emit(ctx, kind, { task: eventTask, lead: leadInEvent(lead, words), ...more }, { contactId: lead.contactId })
}
