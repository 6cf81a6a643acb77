import { z } from 'zod'
import { event } from '../../../core/event.ts'
import { Instant } from '../../../core/values/text.ts'
import { EXAMPLE_LEAD, LeadInEvent } from './events.ts'
import { TASK_FIELDS, Task } from './task-schema.ts'

/** A task in events (spec 6.3). */
const TaskInEvent = Task.pick({
  id: true,
  title: true,
  type: true,
  dueAt: true,
  priority: true,
  status: true,
  assignee: true,
}).meta({ fields: TASK_FIELDS })

const task = {
  id: '0197a1b2-0000-7000-8000-0000000000d1',
  title: 'Call about delivery',
  type: 'call' as const,
  dueAt: '2026-06-02T04:30:00.000Z',
  priority: 'high' as const,
  status: 'pending' as const,
  assignee: { id: '0197a1b2-0000-7000-8000-0000000000a1', name: 'Ravi Iyer' },
}

const TASK_EVENT_FIELDS = {
  task: 'The task.',
  lead: 'Lead that the task is about.',
  outcome: 'Outcome of the task; null without a text.',
  completedAt: 'When it was marked as done, in UTC.',
}

export const taskCreated = event({
  name: 'task.created',
  when: 'A follow-up on a lead was created.',
  scope: 'crm:read',
  data: z
    .object({ task: TaskInEvent, lead: LeadInEvent, createdAt: Instant })
    .meta({ fields: TASK_EVENT_FIELDS }),
  example: { task, lead: EXAMPLE_LEAD, createdAt: '2026-06-01T09:30:00.000Z' },
  touches: ({ task, lead }) => ({ task: task?.id, lead: lead?.id }),
})

export const taskCompleted = event({
  name: 'task.completed',
  when: 'A follow-up was marked as done, with its outcome.',
  scope: 'crm:read',
  data: z
    .object({
      task: TaskInEvent,
      lead: LeadInEvent,
      outcome: z.string().nullable(),
      completedAt: Instant,
    })
    .meta({ fields: TASK_EVENT_FIELDS }),
  example: {
    task: { ...task, status: 'done' },
    lead: EXAMPLE_LEAD,
    outcome: 'Will pay on Friday',
    completedAt: '2026-06-02T04:40:00.000Z',
  },
  touches: ({ task, lead }) => ({ task: task?.id, lead: lead?.id }),
})
