import { z } from 'zod'
import { endpoint, reply } from '../../../../core/endpoint.ts'
import { numberedPage } from '../../../../core/paging.ts'
import { listTasks, presentTask } from '../operations/list-tasks.ts'
import { createTask, updateTask } from '../operations/tasks.ts'
import { NewTask, Task, TaskCounts, TaskPatch, TaskQuery } from '../task-schema.ts'

const write = {
  tag: 'Tasks',
  section: '4.5',
  scope: 'crm:write',
  role: 'agent',
  bucket: 'crm-writes',
} as const

const OneTask = z.object({ task: Task })

export const getTasks = endpoint({
  name: 'listTasks',
  method: 'GET',
  path: '/tasks',
  summary: 'List follow-ups, with counts for each group.',
  description:
    "Groups follow the workspace's time zone: overdue is past its due time, today is due before midnight, and upcoming is due later. Open groups are sorted by due time, earliest first. Done and canceled groups, and the list of all groups, start with the latest.",
  tag: 'Tasks',
  tool: { title: 'List follow-ups', when: 'Use it to see which follow-ups are due or overdue.' },
  section: '4.5',
  scope: 'crm:read',
  role: 'viewer',
  bucket: 'reads',
  query: TaskQuery,
  replies: {
    200: numberedPage('tasks', Task, {
      counts: TaskCounts.meta({ description: 'Number of tasks in each group.' }),
    }),
  },
  refuses: ['not_found'],
  handle: async (ctx, { query }) => reply(200, await listTasks(ctx, query)),
})

export const postTask = endpoint({
  ...write,
  name: 'createTask',
  method: 'POST',
  path: '/tasks',
  summary: 'Create a follow-up for a lead.',
  body: NewTask,
  example: {
    leadId: '+919812345678',
    type: 'call',
    title: 'Call about delivery',
    dueAt: '2026-06-02T10:00:00+05:30',
    priority: 'high',
  },
  tool: { title: 'Add a follow-up', when: 'Use it to plan the next step with a lead.' },
  replies: { 201: OneTask },
  refuses: ['not_found'],
  handle: async (ctx, { body }) => reply(201, { task: presentTask(ctx, await createTask(ctx, body), true) }),
})

export const patchTask = endpoint({
  ...write,
  name: 'updateTask',
  method: 'PATCH',
  path: '/tasks/:id',
  summary: 'Complete, cancel, reopen, reschedule, reassign, or edit a follow-up.',
  subject: 'task',
  body: TaskPatch,
  example: { status: 'done', outcome: 'Will pay on Friday' },
  tool: {
    title: 'Finish or move a follow-up',
    when: 'Use it to complete, cancel, reopen, or reschedule a follow-up.',
  },
  replies: { 200: OneTask },
  refuses: ['not_found', 'conflict'],
  handle: async (ctx, { params, body }) =>
    reply(200, { task: presentTask(ctx, await updateTask(ctx, params.id, body)) }),
})
