/** Shapes of an automation's conditions and actions. */
import { z } from 'zod'
import { component } from '../../../core/component.ts'
import { Id } from '../../../core/ids.ts'
import { characters, requiredText, TagName } from '../../messaging/contacts/schema.ts'
import { PRIORITIES, STATES } from '../../messaging/conversations/schema.ts'
import { LeadFilter } from '../../selling/crm/filter-schema.ts'
import { Email, NameOrId, NOTE_MAX } from '../../selling/crm/schema.ts'
import { TASK_PRIORITIES, TASK_TYPES } from '../../selling/crm/task-schema.ts'

const ACTIONS_MAX = 20
/** The max lengths of texts that actions write, in characters. */
export const TEXT_MAX = 4096
export const TITLE_MAX = 200
export const NAME_MAX = 200
export const SOURCE_MAX = 120
const MAX_WAIT_MINUTES = 30 * 24 * 60
export const whole = (least: number, max: number) =>
  z
    .int(`Must be a whole number from ${least} to ${max}.`)
    .min(least, `Must be a whole number from ${least} to ${max}.`)
    .max(max, `Must be a whole number from ${least} to ${max}.`)
export const must = (names: readonly string[]): string => `Must be one of ${names.join(', ')}.`

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
export const Actions = z
  .array(Action)
  .min(1, 'Must not be empty.')
  .max(ACTIONS_MAX, `Must have at most ${ACTIONS_MAX} actions.`)
  .meta({
    description:
      'Actions, in order. An action that is impossible for this customer is skipped. An action that can never work ends the run.',
  })
