import type { z } from 'zod'
import type { Context } from '../../../../core/context.ts'
import { Refusal } from '../../../../core/errors.ts'
import { offsetOf } from '../../../../core/paging.ts'
import { nextMidnight } from '../../../../core/values/calendar.ts'
import { requireCostlyRead } from '../../../../database/sql/costly-reads.ts'
import { likePatterns } from '../lead-condition.ts'
import { listLeadRowsById } from '../queries/leads.ts'
import {
  type Borders,
  hasManyTasks,
  listOpenTaskRows,
  listTaskRows,
  searchTaskRows,
  type TaskListing,
} from '../queries/tasks.ts'
import type { Task, TaskQuery } from '../task-schema.ts'
import { getLead, readLeadWords } from './find-lead.ts'
import type { LeadWords } from './present-lead.ts'
import { resolveMember } from './references.ts'
import { groupOf } from './task-group.ts'
import { beforeTasks, countTasks } from './task-totals.ts'
import { assigneeOf, type TaskOfLead } from './tasks.ts'

/** Returns the times that separate the groups of open tasks now (spec 3). */
const bordersOf = (ctx: Context): Borders => ({
  now: ctx.now,
  midnight: nextMidnight(ctx.now, ctx.workspace.timezone),
})

/** Returns a task in the form for responses. Right after creation its state is pending. */
export function presentTask(ctx: Context, entry: TaskOfLead, justMade = false): z.input<typeof Task> {
  const { task, lead } = entry
  return {
    id: task.id,
    lead: { id: lead.id, name: lead.name, phone: lead.phone },
    type: task.type,
    title: task.title,
    dueAt: task.dueAt.toISOString(),
    priority: task.priority,
    status: task.status,
    state: justMade ? 'pending' : groupOf(task, bordersOf(ctx)),
    assignee: assigneeOf(entry),
    completedAt: task.completedAt?.toISOString() ?? null,
    outcome: task.outcome,
    createdAt: task.createdAt.toISOString(),
    updatedAt: task.updatedAt.toISOString(),
  }
}

/**
 * Returns one page of tasks and the number of tasks per group (spec 4.5). Sorts open tasks by earliest due
 * time, closed tasks by latest change, and all together by latest due time.
 */
export async function listTasks(ctx: Context, query: TaskQuery) {
  const words = await readLeadWords(ctx)
  const assignee =
    query.assignee === undefined ? undefined : resolveMember(query.assignee, words.team, 'assignee')
  if (assignee instanceof Refusal) throw assignee
  const leadId = query.leadId === undefined ? null : (await getLead(ctx, query.leadId)).id
  const group: TaskListing['group'] = query.status ?? 'all'
  const listing = {
    borders: bordersOf(ctx),
    leadId,
    assigneeId: assignee?.id ?? null,
    ids: query.ids ?? null,
    group,
    limit: query.pageSize,
    offset: offsetOf(query),
  }
  const storedCounts = await beforeTasks(ctx, listing)
  const [rows, counts] = await Promise.all([
    listTaskRows(ctx, listing),
    countTasks(ctx, listing, storedCounts),
  ])
  const leads = new Map(
    (await listLeadRowsById(ctx, [...new Set(rows.map((task) => task.leadId))])).map((lead) => [
      lead.id,
      lead,
    ]),
  )
  const tasks = rows.flatMap((task) => {
    const lead = leads.get(task.leadId)
    // A lead may be erased between the two statements.
    return lead ? [presentTask(ctx, { task, lead, words })] : []
  })
  const open = counts.overdue + counts.today + counts.upcoming
  const total =
    group === 'all' ? open + counts.done + counts.cancelled : group === 'open' ? open : counts[group]
  return { tasks, total, page: query.page, pageSize: query.pageSize, counts: { open, ...counts } }
}

/** Returns the newest tasks with `text` in their title, in any state, and their leads: at most `max`. */
export async function searchTasks(ctx: Context, text: string, max: number) {
  // The index uses trigrams.
  if (!/[\p{L}\p{N}]{3}/u.test(text) && (await hasManyTasks(ctx))) await requireCostlyRead(ctx)
  const rows = await searchTaskRows(ctx, likePatterns(text, 'around'), max)
  const leads = await listLeadRowsById(ctx, [...new Set(rows.map((task) => task.leadId))])
  const byId = new Map(leads.map((lead) => [lead.id, lead]))
  return rows.flatMap((task) => {
    const lead = byId.get(task.leadId)
    return lead ? [{ task, lead }] : []
  })
}

/** Returns the next open tasks of a lead in the form for responses, and the number of its open tasks. */
export async function listOpenTasks(ctx: Context, lead: TaskOfLead['lead'], words: LeadWords, max: number) {
  const { rows, count: total } = await listOpenTaskRows(ctx, lead.id, max)
  return { items: rows.map((task) => presentTask(ctx, { task, lead, words })), total }
}
