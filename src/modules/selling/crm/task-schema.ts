import { z } from 'zod'
import { customerName, customerPhone } from '../../../core/customer-details.ts'
import { Id } from '../../../core/ids.ts'
import { idsQuery, pageQuery } from '../../../core/paging.ts'
import { Instant, InstantInput } from '../../../core/values/text.ts'
import { characters, requiredText } from '../../messaging/contacts/schema.ts'
import { NameOrId } from './schema.ts'

export const TASK_TYPES = ['call', 'message', 'email', 'meeting', 'visit', 'other'] as const
export const TASK_PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const
export const TASK_STATUSES = ['pending', 'done', 'cancelled'] as const
/** The groups that tasks are shown and counted in (spec 3). */
export const TASK_GROUPS = ['overdue', 'today', 'upcoming', 'done', 'cancelled'] as const
export type TaskGroup = (typeof TASK_GROUPS)[number]

export const TASK_FIELDS = {
  lead: 'Lead that the task is about.',
  'lead.name': 'Name of the lead; null if unknown.',
  'lead.phone': 'Phone number of the lead, digits only.',
  type: 'Kind of task.',
  title: 'Title of the task, such as `Call about delivery`.',
  dueAt: 'When it is due, in UTC.',
  priority: 'Priority of the task.',
  status: 'State of the task: pending, done, or canceled.',
  'assignee.name': 'Name of the member.',
  completedAt: 'When it was done, in UTC; null until then.',
  outcome: 'Outcome of the task; null until it is done.',
}

/** A task in a response (spec 2.4). */
export const Task = z
  .object({
    id: Id,
    lead: z.object({
      id: Id,
      name: customerName(z.string()).nullable(),
      phone: customerPhone(z.string()),
    }),
    type: z.enum(TASK_TYPES),
    title: z.string(),
    dueAt: Instant,
    priority: z.enum(TASK_PRIORITIES),
    status: z.enum(TASK_STATUSES),
    state: z
      .enum(['pending', ...TASK_GROUPS])
      .meta({ description: 'Group in lists; `pending` right after creation.' }),
    assignee: z.object({ id: Id, name: z.string() }).nullable(),
    completedAt: Instant.nullable(),
    outcome: z.string().nullable(),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'Task', description: 'A follow-up on a lead.', fields: TASK_FIELDS })

const Title = requiredText(200)
const DueAt = InstantInput.meta({
  description: 'When the task is due: ISO 8601 with an offset.',
  example: '2026-06-02T10:00:00+05:30',
})

/** Body of `POST /tasks` (spec 4.5). */
export const NewTask = z
  .strictObject({
    leadId: z
      .string()
      .min(1, 'Must not be empty.')
      .max(200)
      .meta({ description: 'Id or phone number of the lead.' }),
    type: z.enum(TASK_TYPES, `Must be one of ${TASK_TYPES.join(', ')}.`).default('other'),
    title: Title,
    dueAt: DueAt,
    priority: z.enum(TASK_PRIORITIES, `Must be one of ${TASK_PRIORITIES.join(', ')}.`).default('normal'),
    assignee: NameOrId.nullable()
      .optional()
      .meta({ description: "Name, email address, or id of a member. Default: the lead's owner." }),
  })
  .meta({ fields: TASK_FIELDS })
export type NewTask = z.output<typeof NewTask>

/** Body of `PATCH /tasks/{id}` (docs/clarifications.md, CRM). */
export const TaskPatch = z
  .strictObject({
    status: z.enum(TASK_STATUSES, `Must be one of ${TASK_STATUSES.join(', ')}.`).optional(),
    outcome: characters(2000)
      .nullable()
      .optional()
      .meta({ description: 'Outcome of the task; only for a done task.' }),
    dueAt: DueAt.optional(),
    assignee: NameOrId.nullable().optional(),
    title: Title.optional(),
    type: z.enum(TASK_TYPES, `Must be one of ${TASK_TYPES.join(', ')}.`).optional(),
    priority: z.enum(TASK_PRIORITIES, `Must be one of ${TASK_PRIORITIES.join(', ')}.`).optional(),
  })
  .meta({ fields: { ...TASK_FIELDS, assignee: 'Name, email address, or id of a member; null unassigns.' } })
export type TaskPatch = z.output<typeof TaskPatch>

const STATUSES_ASKED = ['open', ...TASK_GROUPS] as const

/** Query of `GET /tasks`. */
export const TaskQuery = z.object({
  ...pageQuery,
  ...idsQuery,
  status: z
    .enum(STATUSES_ASKED, `Must be one of ${STATUSES_ASKED.join(', ')}.`)
    .optional()
    .meta({ description: 'Only tasks in this group; `open` includes overdue, today, and upcoming.' }),
  leadId: z.string().optional().meta({ description: 'Only tasks of this lead: its id or phone number.' }),
  assignee: NameOrId.optional().meta({
    description: 'Only tasks of this member: name, email address, or id.',
  }),
})
export type TaskQuery = z.output<typeof TaskQuery>

export const TaskCounts = z
  .object({
    open: z.number().int().meta({ description: 'Overdue, today, and upcoming together.' }),
    overdue: z.number().int(),
    today: z.number().int(),
    upcoming: z.number().int(),
    done: z.number().int(),
    cancelled: z.number().int(),
  })
  .meta({
    fields: {
      overdue: 'Past their due time.',
      today: 'Due later today.',
      upcoming: 'Due after today.',
      done: 'Done.',
      cancelled: 'Canceled.',
    },
  })
