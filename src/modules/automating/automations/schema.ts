/** Shapes of automations: triggers, definitions, and tests (DECISIONS.md). */
import { z } from 'zod'
import { component } from '../../../core/component.ts'
import { customerData } from '../../../core/customer-details.ts'
import { Id } from '../../../core/ids.ts'
import { minutesOf } from '../../../core/values/calendar.ts'
import { Instant, JsonObject } from '../../../core/values/text.ts'
import { requiredText } from '../../messaging/contacts/schema.ts'
import { Action, Actions, Conditions, must, whole } from './action-schema.ts'
import { stepFields } from './run-schema.ts'

export const AUTOMATIONS_MAX = 100
const MAX_IDLE_MINUTES = 30 * 24 * 60

const PERIODS = ['day', 'week', 'month'] as const
const SIDES = ['team', 'customer'] as const

const EventTrigger = z
  .strictObject({
    event: z
      .string()
      .max(60)
      .meta({ description: 'Name of an event from `GET /webhooks/events`.', example: 'lead.created' }),
    includeImports: z
      .boolean('Must be true or false.')
      .default(false)
      .meta({ description: 'Whether changes by imports start the automation too.' }),
  })
  .meta(component('EventTrigger', 'Starts an automation with an event.'))

const Schedule = z
  .strictObject({
    every: z.enum(PERIODS, must(PERIODS)),
    at: z
      .string()
      .refine(
        (text) => text !== '24:00' && minutesOf(text) !== undefined,
        'Must be a time of day, such as 09:30.',
      )
      .meta({ description: "Time of day in the workspace's time zone.", example: '09:30' }),
    days: z
      .array(
        z
          .int('Must be a whole number from 1 to 31.')
          .min(1, 'Must be a whole number from 1 to 31.')
          .max(31, 'Must be a whole number from 1 to 31.'),
      )
      .min(1, 'Must not be empty.')
      .max(31)
      .refine((days) => new Set(days).size === days.length, 'Must have each day once.')
      .optional()
      .meta({
        description:
          'Days of the week, 1 (Monday) to 7, or days of the month, 1 to 31. In a shorter month, it runs on the last day. Default: the first day.',
      }),
  })
  .check(({ value, issues }) => {
    const message =
      value.days === undefined
        ? undefined
        : value.every === 'day'
          ? 'Must be days of a week or of a month.'
          : value.every === 'week' && value.days.some((day) => day > 7)
            ? 'Must be 1 to 7 for days of a week.'
            : undefined
    if (message) issues.push({ code: 'custom', input: value, path: ['days'], message })
  })
export type Schedule = z.output<typeof Schedule>

const ScheduleTrigger = z
  .strictObject({ schedule: Schedule })
  .meta(component('ScheduleTrigger', 'Starts an automation at a time.'))
const IdleTrigger = z
  .strictObject({
    idle: z.strictObject({
      side: z
        .enum(SIDES, must(SIDES))
        .meta({ description: 'Side that has not answered: the customer, or your team.' }),
      minutes: whole(1, MAX_IDLE_MINUTES),
    }),
  })
  .meta(component('IdleTrigger', 'Starts an automation after a silence in a chat.'))

/** The kinds of trigger, in the order of the union below. */
const TRIGGERS = ['event', 'schedule', 'idle'] as const

/** Returns the fault of the given kind of trigger, or that there is no trigger. */
function triggerFault(issue: z.core.$ZodRawIssue): string {
  const { input } = issue
  const kinds = TRIGGERS.filter(
    (kind) => typeof input === 'object' && input !== null && Object.hasOwn(input, kind),
  )
  const [kind] = kinds
  const faults = issue.code === 'invalid_union' ? issue.errors : []
  const fault = kinds.length === 1 && kind ? faults[TRIGGERS.indexOf(kind)]?.[0] : undefined
  if (!fault) return 'Must be {event}, {schedule}, or {idle}.'
  return fault.path.length === 0 ? fault.message : `${fault.path.join('.')}: ${fault.message}`
}

export const Trigger = z.union([EventTrigger, ScheduleTrigger, IdleTrigger], { error: triggerFault }).meta({
  ...component('AutomationTrigger', 'The event, time, or silence that starts an automation.'),
  description:
    'An event; a schedule, which runs for each lead that matches the conditions, at most 1,000; or a chat that waits for an answer.',
})
export type Trigger = z.output<typeof Trigger>

const Name = requiredText(120).transform((name) => name.trim())
const NO_CONDITIONS = { match: 'all' as const, conditions: [] }

/** The definition of an automation in a request. */
const definition = { trigger: Trigger, conditions: Conditions.default(NO_CONDITIONS), actions: Actions }

/** Descriptions of the fields. */
const AUTOMATION_FIELDS = {
  name: 'Name of the automation.',
  'trigger.schedule': 'Time at which it runs.',
  'trigger.schedule.every': 'How often it runs.',
  'trigger.idle': 'Silence that starts it.',
  'trigger.idle.minutes': 'Minutes without an answer until it starts.',
  'actions.tags': 'Names of the tags to add or remove.',
  'actions.on': 'Record that the action changes.',
  'actions.stage': 'Name or id of the pipeline stage.',
  'actions.lostReason': 'Name or id of the lost reason; only with a stage of kind `lost`.',
  'actions.source': 'Where the lead came from.',
  'actions.name': 'Name of the lead.',
  'actions.email': 'Email address of the lead.',
  'actions.note': "Note for the lead's timeline.",
  'actions.taskType': 'Kind of task.',
  'actions.dueInMinutes': 'Minutes from the run until the task is due.',
  'actions.priority': 'Priority of the task or the conversation.',
  'actions.text': 'Text of the note or message; placeholders such as `{{lead.name}}` are filled in.',
  'actions.state': 'State to set the conversation to.',
  'actions.isArchived': 'Whether to archive the conversation.',
  'actions.botId': 'Id of the bot to start.',
  'actions.minutes': 'Minutes to wait before the next action.',
}

/** Body of `POST /automations`. */
export const NewAutomation = z
  .strictObject({
    name: Name,
    enabled: z.boolean('Must be true or false.').default(true),
    ...definition,
  })
  .meta({ fields: AUTOMATION_FIELDS })
export type NewAutomation = z.output<typeof NewAutomation>

/** Body of `PATCH /automations/{id}`. */
export const AutomationPatch = z
  .strictObject({
    name: Name.optional(),
    enabled: z.boolean('Must be true or false.').optional(),
    trigger: Trigger.optional(),
    conditions: Conditions.optional(),
    actions: Actions.optional(),
  })
  .meta({ fields: AUTOMATION_FIELDS })
export type AutomationPatch = z.output<typeof AutomationPatch>

/** An automation in answers of the API. */
export const Automation = z
  .object({
    id: Id,
    name: z.string(),
    enabled: z.boolean(),
    trigger: Trigger,
    conditions: Conditions,
    actions: z
      .array(Action)
      .meta({ description: 'Actions, in order. Stages, lost reasons, and members are given by id.' }),
    stats: z
      .object({
        done: z.number().int(),
        skipped: z.number().int(),
        failed: z.number().int(),
        lastRunAt: Instant.nullable(),
      })
      .meta({ description: 'Number of its runs by result, since it was created.' }),
    disabledReason: z
      .string()
      .nullable()
      .meta({ description: 'Why Parley turned it off; null if Parley did not.' }),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({
    id: 'Automation',
    description: 'A rule that runs actions when something happens or when a time comes.',
    fields: {
      ...AUTOMATION_FIELDS,
      'stats.done': 'Runs that completed.',
      'stats.skipped': 'Runs that were skipped.',
      'stats.failed': 'Runs that failed.',
      'stats.lastRunAt': 'When it last ran, in UTC; null if never.',
    },
  })

/** The stored automation, and once the secret that signs its calls. */
export const SavedAutomation = z.object({
  automation: Automation,
  secret: z.string().nullable().meta({
    description:
      'Secret that signs the requests of `call_webhook`, as the secret of a webhook endpoint does. It is shown only once: when the automation first has this action.',
  }),
})

/** Body of `POST /automations/test`. */
export const AutomationTest = z
  .strictObject({
    automationId: Id.optional().meta({ description: 'Id of a stored automation.' }),
    automation: z
      .strictObject({ name: Name.default('Test'), ...definition })
      .meta({
        ...component('AutomationDraft', 'An automation that is not stored.'),
        fields: AUTOMATION_FIELDS,
      })
      .optional()
      .meta({ description: 'An automation that is not stored.' }),
    eventId: Id.optional().meta({ description: 'Id of an event in the log.' }),
    event: z.string().max(60).optional().meta({ description: 'Name of an invented event, with `data`.' }),
    data: JsonObject.optional(),
    contactId: Id.optional().meta({
      description: 'Id of the contact, if neither the event nor `data` names one.',
    }),
  })
  .check(({ value, issues }) => {
    const addIssue = (path: string, message: string) =>
      issues.push({ code: 'custom', input: value, path: [path], message })
    if ((value.automationId === undefined) === (value.automation === undefined))
      addIssue('automationId', 'Send either this or `automation`.')
    if (value.eventId !== undefined && (value.event ?? value.data) !== undefined)
      addIssue('eventId', 'Must be left out when event or data is sent.')
  })
  .meta({ fields: { data: 'Data of the invented event.' } })
export type AutomationTest = z.output<typeof AutomationTest>

/** The result of one condition. */
const ConditionResult = z.object({
  field: z.string(),
  op: z.string(),
  value: customerData(z.unknown())
    .optional()
    .meta({ description: 'Value that was compared; omitted if the operator takes none.' }),
  held: z.boolean(),
})

export const AutomationTestResult = z
  .object({
    starts: z.boolean().meta({
      description: 'Whether it would run: the event is its trigger, and all conditions match.',
    }),
    conditions: z.array(ConditionResult),
    actions: z.array(z.object(stepFields)).meta({
      description: 'Expected result of each action. Nothing is stored.',
    }),
  })
  .meta({
    id: 'AutomationTestResult',
    description: 'Result of a test of an automation. Nothing is stored or sent.',
    fields: {
      conditions: 'Each condition and whether it matched.',
      'conditions.field': 'Field that was checked.',
      'conditions.op': 'How it was compared.',
      'conditions.held': 'Whether the condition matched.',
      'actions.status': 'Result that the action would have.',
      'actions.reason': 'Why the action would be skipped or fail; null otherwise.',
    },
  })
