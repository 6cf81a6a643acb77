/**
 * The model of follow-ups, without a database: spec 2.4, 3, 4.5, and 6.3, and the clarifications on tasks.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Body } from '../support/boot.ts'

export type Status = 'pending' | 'done' | 'cancelled'
export const GROUPS = ['overdue', 'today', 'upcoming', 'done', 'cancelled'] as const
export type Group = (typeof GROUPS)[number]
export type Member = { id: string; name: string; email: string }

export type Lead = {
  id: string
  contactId: string
  name: string
  /** Digits only. */
  phone: string
  owner: Member | null
  open: boolean
  /** The follow-up date that was set by hand. */
  byHand: string | null
}

export type Task = {
  id: string
  lead: Lead
  type: string
  title: string
  priority: string
  dueAt: string
  status: Status
  assignee: Member | null
  outcome: string | null
  completedAt: string | null
}

/** A member as a name, an email address, or an ID (`#name`); null for no assignee. */
export type Fields = {
  title?: string
  type?: string
  priority?: string
  dueAt?: string
  assignee?: string | null
}
export type Patch = Fields & { status?: Status; outcome?: string | null }

/** An expected event; after its lead's erasure, it contains only IDs. */
export type Reported = { event: string; lead: Lead; task: Task | null; data: Body; erased?: true }

export type TasksModel = {
  now: Date
  movedHours: number
  timezone: string
  members: Member[]
  leads: Lead[]
  tasks: Task[]
  reported: Reported[]
}

export type Outcome =
  | { status: 200 | 201; task: Task }
  | { status: 404 | 409; error: string }
  | { status: 400; error: 'invalid'; field: string }

export const memberOf = ({ members }: TasksModel, ref: string): Member | undefined =>
  members.find(
    ({ name, email }) =>
      ref === `#${name}` || [name, email].some((text) => text.toLowerCase() === ref.toLowerCase()),
  )

const eventFieldsOf = ({ title, type, priority, status, dueAt, assignee }: Task) => ({
  title,
  type,
  priority,
  status,
  dueAt,
  assignee: assignee && { id: assignee.id, name: assignee.name },
})
const leadInEvent = ({ id, phone, name, owner }: Lead) => ({ id, phone, name, owner })

/** Creates a follow-up; without an assignee, it belongs to the lead's owner (spec 2.4). */
export function create(
  model: TasksModel,
  phone: string,
  fields: Fields & { title: string; dueAt: string },
): Outcome {
  const lead = model.leads.find((lead) => lead.phone === phone)
  if (!lead) return { status: 404, error: 'not_found' }
  const { assignee, ...rest } = fields
  if (typeof assignee === 'string' && !memberOf(model, assignee))
    return { status: 400, error: 'invalid', field: 'assignee' }
  const task: Task = {
    id: '',
    lead,
    type: 'other',
    priority: 'normal',
    ...rest,
    status: 'pending',
    assignee:
      typeof assignee === 'string' ? memberOf(model, assignee)! : assignee === null ? null : lead.owner,
    outcome: null,
    completedAt: null,
  }
  model.tasks.push(task)
  model.reported.push({
    event: 'task.created',
    lead,
    task,
    data: { task: eventFieldsOf(task), lead: leadInEvent(lead) },
  })
  return { status: 201, task }
}

/**
 * Completes, cancels, reopens, reschedules, reassigns, or edits a task (spec 3, docs/clarifications.md). A
 * finished task must be reopened first.
 */
export function change(model: TasksModel, task: Task | undefined, patch: Patch): Outcome {
  if (!task || !model.tasks.includes(task)) return { status: 404, error: 'not_found' }
  const status = patch.status ?? task.status
  if (task.status !== 'pending' && status !== 'pending' && status !== task.status)
    return { status: 409, error: 'conflict' }
  if (typeof patch.outcome === 'string' && status !== 'done')
    return { status: 400, error: 'invalid', field: 'outcome' }
  const { assignee } = patch
  if (typeof assignee === 'string' && !memberOf(model, assignee))
    return { status: 400, error: 'invalid', field: 'assignee' }
  const isCompleted = status === 'done' && task.status !== 'done'
  Object.assign(task, {
    title: patch.title ?? task.title,
    type: patch.type ?? task.type,
    priority: patch.priority ?? task.priority,
    dueAt: patch.dueAt ?? task.dueAt,
    assignee:
      typeof assignee === 'string' ? memberOf(model, assignee) : assignee === null ? null : task.assignee,
    status,
    outcome: status === 'done' ? (patch.outcome === undefined ? task.outcome : patch.outcome) : null,
    completedAt: status === 'done' ? (task.completedAt ?? model.now.toISOString()) : null,
  })
  if (isCompleted)
    model.reported.push({
      event: 'task.completed',
      lead: task.lead,
      task,
      data: {
        task: eventFieldsOf(task),
        lead: leadInEvent(task.lead),
        outcome: task.outcome,
        completedAt: task.completedAt,
      },
    })
  return { status: 200, task }
}

export function setLead(
  model: TasksModel,
  lead: Lead,
  change: { byHand?: string | null; owner?: Member | null; open?: boolean },
): void {
  const reportLead = (event: string) => model.reported.push({ event, lead, task: null, data: {} })
  if (change.open !== undefined && change.open !== lead.open) reportLead('lead.stage_changed')
  if (change.owner !== undefined && !isDeepStrictEqual(change.owner, lead.owner)) reportLead('lead.assigned')
  Object.assign(lead, change)
}

/** Erases a lead's contact, and with it all tasks of the lead (spec 4.4). */
export function erase(model: TasksModel, lead: Lead): void {
  model.leads = model.leads.filter((other) => other !== lead)
  model.tasks = model.tasks.filter((task) => task.lead !== lead)
  for (const reported of model.reported) if (reported.lead === lead) reported.erased = true
  model.reported.push({ event: 'contact.deleted', lead, task: null, data: {} })
}

const dayOf = (time: Date, timeZone: string): string => time.toLocaleDateString('sv-SE', { timeZone })

/**
 * Returns the group of a task: open tasks are split at this moment and at midnight in the workspace (spec 3).
 */
export function groupOf({ timezone, now }: TasksModel, task: Task): Group {
  if (task.status !== 'pending') return task.status
  const due = new Date(task.dueAt)
  if (due < now) return 'overdue'
  return dayOf(due, timezone) === dayOf(now, timezone) ? 'today' : 'upcoming'
}

/**
 * Returns the next follow-up: the earliest pending task, else the date set by hand (docs/clarifications.md,
 * CRM).
 */
export function followUpOf({ tasks }: TasksModel, lead: Lead): string | null {
  const pending = tasks.filter((task) => task.lead === lead && task.status === 'pending')
  return pending.map((task) => task.dueAt).toSorted()[0] ?? lead.byHand
}

/** Returns the leads of sys:followups: in open stages, due by the end of the workspace's day. */
export const followUps = (model: TasksModel): Lead[] =>
  model.leads.filter((lead) => {
    const due = followUpOf(model, lead)
    return (
      lead.open && due !== null && dayOf(new Date(due), model.timezone) <= dayOf(model.now, model.timezone)
    )
  })
