/** Shapes of automations: trigger, conditions, actions, and runs (DECISIONS.md). */
import { z } from 'zod'
import { component } from '../../../core/component.ts'
import { customerData } from '../../../core/customer-details.ts'
import { Id } from '../../../core/ids.ts'
import { minutesOf } from '../../../core/values/calendar.ts'
import { Instant, JsonObject } from '../../../core/values/text.ts'
import { characters, requiredText, TagName } from '../../messaging/contacts/schema.ts'
import { PRIORITIES, STATES } from '../../messaging/conversations/schema.ts'
import { LeadFilter } from '../../selling/crm/filter-schema.ts'
import { Email, NameOrId, NOTE_MAX } from '../../selling/crm/schema.ts'
import { TASK_PRIORITIES, TASK_TYPES } from '../../selling/crm/task-schema.ts'

export const AUTOMATIONS_MAX = 100
const ACTIONS_MAX = 20
/** The max lengths of texts that actions write, in characters. */
export const TEXT_MAX = 4096
export const TITLE_MAX = 200
export const NAME_MAX = 200
export const SOURCE_MAX = 120
const MAX_WAIT_MINUTES = 30 * 24 * 60
const MAX_IDLE_MINUTES = 30 * 24 * 60
const whole = (least: number, max: number) =>
  z
    .int(`Must be a whole number from ${least} to ${max}.`)
    .min(least, `Must be a whole number from ${least} to ${max}.`)
    .max(max, `Must be a whole number from ${least} to ${max}.`)
const must = (names: readonly string[]): string => `Must be one of ${names.join(', ')}.`

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

/** The fields of a lead filter, and those of other subjects. */
export const Conditions = LeadFilter.meta({
  description:
    'The same as the filters of `GET /leads`, with the fields `lead.*`, `contact.*`, `conversation.*`, `event.<path>`, and `now.open`. A missing value is empty. In texts, `{{now.date}}` is today, such as 2026-06-01, and `{{now.monthDay}}` is its month and day, such as 06-01.',
})
export type Conditions = z.output<typeof Conditions>

const Text = requiredText(TEXT_MAX).meta({
  description:
    'Text of the message. Placeholders such as `{{lead.name}}`, `{{contact.attributes.city}}`, or `{{event.invoice.number}}` are filled in.',
})
const Values = z.array(characters(1024)).max(100, 'Must have at most 100 values.').meta({
  description:
    'Values for the placeholders of the template, in order. They can contain placeholders such as `{{lead.name}}`.',
})
const Tags = z.array(TagName).min(1, 'Must not be empty.').max(50, 'Must have at most 50 tags.')
const Member = NameOrId.nullable().meta({
  description: 'Name, email address, or id of a member; null unassigns.',
})
const subject = <const Names extends readonly [string, ...string[]]>(names: Names) =>
  z.enum(names, must(names)).default(names[0] as Names[number])
const TAGGED_RECORDS = ['contact', 'lead'] as const
const NOTED_ON = ['conversation', 'lead'] as const

const SendTemplate = z.strictObject({
  type: z.literal('send_template'),
  templateId: Id,
  variables: Values.optional(),
  phoneNumberId: Id.optional(),
})
const SendText = z.strictObject({
  type: z.literal('send_text'),
  text: Text,
  orTemplate: Id.optional().meta({
    description: 'Template that is sent if the 24-hour window is closed.',
  }),
  variables: Values.optional(),
  phoneNumberId: Id.optional(),
})
const AssignConversation = z.strictObject({
  type: z.literal('assign_conversation'),
  member: Member,
  teamId: Id.optional().meta({
    description: 'Id of a team to put the conversation into; see `GET /teams`. Default: it keeps its team.',
  }),
})
const AssignLead = z.strictObject({ type: z.literal('assign_lead'), member: Member })
const AddTags = z.strictObject({ type: z.literal('add_tags'), tags: Tags, on: subject(TAGGED_RECORDS) })
const RemoveTags = z.strictObject({ type: z.literal('remove_tags'), tags: Tags, on: subject(TAGGED_RECORDS) })
const SetField = z.strictObject({
  type: z.literal('set_field'),
  field: characters(120, 1).meta({
    description:
      'contact.displayName, contact.attributes.KEY, lead.name, lead.email, lead.source, lead.rating, lead.dealValue, or lead.attributes.KEY.',
    example: 'contact.attributes.city',
  }),
  value: z
    .union(
      [characters(2000), z.number(), z.boolean(), z.null()],
      'Must be text, a number, true, false, or null.',
    )
    .meta({ description: 'New value. Texts can contain placeholders; null empties the field.' }),
})
const SetStage = z.strictObject({
  type: z.literal('set_stage'),
  stage: NameOrId,
  lostReason: NameOrId.optional(),
})
const CreateLead = z.strictObject({
  type: z.literal('create_lead'),
  stage: NameOrId.optional(),
  owner: Member.optional(),
  source: characters(SOURCE_MAX).optional(),
  name: characters(NAME_MAX).optional(),
  email: Email.optional(),
  tags: Tags.optional(),
  note: requiredText(NOTE_MAX).optional(),
})
const CreateTask = z.strictObject({
  type: z.literal('create_task'),
  taskType: z.enum(TASK_TYPES, must(TASK_TYPES)).default('other'),
  title: requiredText(TITLE_MAX)
    .optional()
    .meta({ description: 'Title of the task. If it is omitted or empty: the name of the automation.' }),
  dueInMinutes: whole(0, 525_600),
  priority: z.enum(TASK_PRIORITIES, must(TASK_PRIORITIES)).default('normal'),
  assignee: Member.optional(),
})
const AddNote = z.strictObject({
  type: z.literal('add_note'),
  text: requiredText(NOTE_MAX),
  on: subject(NOTED_ON),
})
const SetConversation = z
  .strictObject({
    type: z.literal('set_conversation'),
    state: z.enum(STATES, must(STATES)).optional(),
    priority: z.enum(PRIORITIES, must(PRIORITIES)).optional(),
    isArchived: z.boolean('Must be true or false.').optional(),
  })
  .refine(
    ({ state, priority, isArchived }) => (state ?? priority ?? isArchived) !== undefined,
    'Must set state, priority, or isArchived.',
  )
const StartBot = z.strictObject({ type: z.literal('start_bot'), botId: Id }).meta({
  description:
    'Starts the bot while the 24-hour window is open. It replaces a bot that is active in the chat.',
})
const RequestReview = z.strictObject({ type: z.literal('request_review') }).meta({
  description: 'Asks for a review of the invoice or booking of the event.',
})
const CallWebhook = z.strictObject({
  type: z.literal('call_webhook'),
  url: z.string().min(1, 'Must not be empty.').max(2000, 'Must be at most 2000 characters.').meta({
    description: 'Https address on the public internet.',
    example: 'https://hooks.example.com/parley',
  }),
})
const Wait = z.strictObject({ type: z.literal('wait'), minutes: whole(1, MAX_WAIT_MINUTES) })
const StopIf = z.strictObject({ type: z.literal('stop_if'), conditions: Conditions })

export const Action = z
  .discriminatedUnion('type', [
    SendTemplate,
    SendText,
    AssignConversation,
    AssignLead,
    AddTags,
    RemoveTags,
    SetField,
    SetStage,
    CreateLead,
    CreateTask,
    AddNote,
    SetConversation,
    StartBot,
    RequestReview,
    CallWebhook,
    Wait,
    StopIf,
  ])
  .meta(component('AutomationAction', 'One action of an automation.'))
export type Action = z.output<typeof Action>
export type ActionType = Action['type']
export type ActionOf<Type extends ActionType> = Extract<Action, { type: Type }>

const Name = requiredText(120).transform((name) => name.trim())
const Actions = z
  .array(Action)
  .min(1, 'Must not be empty.')
  .max(ACTIONS_MAX, `Must have at most ${ACTIONS_MAX} actions.`)
  .meta({
    description:
      'Actions, in order. An action that is impossible for this customer is skipped. An action that can never work ends the run.',
  })
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

export const RUN_STATUSES = ['waiting', 'running', 'done', 'skipped', 'failed'] as const
const STEP_STATUSES = ['done', 'skipped', 'failed', 'waiting', 'stopped'] as const
export type RunStatus = (typeof RUN_STATUSES)[number]
export type StepStatus = (typeof STEP_STATUSES)[number]

const stepFields = {
  action: z.string().meta({ description: 'The `type` of the action.' }),
  status: z.enum(STEP_STATUSES),
  reason: z.string().nullable(),
  result: customerData(JsonObject)
    .nullable()
    .meta({ description: 'Ids of records that the action created or found.' }),
}

/** One run of an automation, kept for 30 days. */
export const Run = z
  .object({
    id: Id,
    eventId: Id.nullable().meta({
      description: 'Id of the event that started the run; null if a schedule or a silence started it.',
    }),
    subject: z.object({ contactId: Id.nullable(), leadId: Id.nullable(), conversationId: Id.nullable() }),
    status: z.enum(RUN_STATUSES),
    reason: z.string().nullable().meta({ description: 'Why it was skipped or failed.' }),
    steps: z.array(z.object({ ...stepFields, at: Instant })),
    createdAt: Instant,
    finishedAt: Instant.nullable(),
  })
  .meta({
    id: 'AutomationRun',
    description: 'One run of an automation; kept for 30 days.',
    fields: {
      subject: 'Contact, lead, and conversation of the run.',
      'subject.contactId': 'Id of the contact; null for none.',
      'subject.leadId': 'Id of the lead; null for none.',
      'subject.conversationId': 'Id of the conversation; null for none.',
      status: 'State of the run.',
      steps: 'Result of each action, in order.',
      'steps.status': 'Result of the action.',
      'steps.reason': 'Why the action was skipped or failed; null otherwise.',
      'steps.at': 'When the action ran, in UTC.',
      finishedAt: 'When the run ended, in UTC; null while it is not finished.',
    },
  })

/** Query of `GET /automations/{id}/runs`. */
export const RunFilter = z.object({
  status: z
    .enum(RUN_STATUSES, must(RUN_STATUSES))
    .optional()
    .meta({ description: 'Only runs in this state.' }),
  contactId: Id.optional().meta({ description: 'Only runs about this contact.' }),
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
