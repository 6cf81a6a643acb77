import { z } from 'zod'
import { Id } from '../../../core/ids.ts'
import { Instant } from '../../../core/values/text.ts'
import { requiredText, TagName } from '../contacts/schema.ts'
import { Conversation, PRIORITIES } from '../conversations/schema.ts'

/** The maximum of macros in a workspace. */
export const MACROS_MAX = 200
const NAME_MAX = 100
const NOTE_MAX = 5_000
const TAGS_MAX = 20
const YEAR_MINUTES = 366 * 24 * 60

const SNOOZE_MINUTES = `Must be a whole number from 1 to ${YEAR_MINUTES}.`

const MacroSnooze = z
  .strictObject({
    minutes: z
      .int(SNOOZE_MINUTES)
      .min(1, SNOOZE_MINUTES)
      .max(YEAR_MINUTES, SNOOZE_MINUTES)
      .optional()
      .meta({ description: 'For how many minutes.' }),
    untilReply: z
      .boolean('Must be true or false.')
      .optional()
      .meta({ description: "Whether the customer's next message ends the snooze." }),
  })
  .refine(({ minutes, untilReply }) => minutes !== undefined || untilReply === true, {
    path: ['minutes'],
    message: 'Required (or untilReply).',
  })

const Tags = z
  .array(TagName)
  .min(1, 'Must not be empty.')
  .max(TAGS_MAX, `Must have at most ${TAGS_MAX} tags.`)

/** The actions of a macro; each is left out or done once, in the order of the fields. */
export const MacroActions = z
  .strictObject({
    addTags: Tags.optional().meta({ description: 'Tags to add to the contact.' }),
    removeTags: Tags.optional().meta({ description: 'Tags to remove from the contact.' }),
    quickReplyId: Id.optional().meta({
      description:
        'Id of the saved reply to send; see `GET /quick-replies`. It needs an open 24-hour window.',
    }),
    teamId: Id.nullable().optional().meta({
      description:
        'Id of the team to hand the conversation to; see `GET /teams`; null for none. Without `assignee`, a member outside the team is unassigned.',
    }),
    assignee: z
      .union([z.literal('me'), Id], 'Must be me, null, or the id of a member.')
      .nullable()
      .optional()
      .meta({
        description: 'Assigns the conversation: `me` is the member who runs the macro; null unassigns.',
      }),
    priority: z
      .enum(PRIORITIES, `Must be one of ${PRIORITIES.join(', ')}.`)
      .optional()
      .meta({
        description: 'New priority of the conversation.',
      }),
    resolve: z.literal(true, 'Must be true, or left out.').optional().meta({
      description: 'Resolves the conversation.',
    }),
    snooze: MacroSnooze.optional().meta({ description: 'Snoozes the conversation.' }),
    note: requiredText(NOTE_MAX).optional().meta({ description: 'Text of an internal note to add.' }),
  })
  .refine(
    (actions) => Object.values(actions).some((value) => value !== undefined),
    'Must have at least one action.',
  )
  .refine(({ resolve, snooze }) => resolve === undefined || snooze === undefined, {
    path: ['snooze'],
    message: 'Must be left out when resolve is sent.',
  })
  .meta({
    id: 'MacroActions',
    description: 'Actions on a conversation. They are done in the order of these fields, all or none.',
  })
export type MacroActions = z.output<typeof MacroActions>

const FIELDS = { name: 'Name of the macro. Unique in the workspace, in any case.', actions: 'Its actions.' }

export const Macro = z
  .object({ id: Id, name: z.string(), actions: MacroActions, createdAt: Instant, updatedAt: Instant })
  .meta({
    id: 'Macro',
    description: 'Several actions on a conversation that a teammate runs together.',
    fields: FIELDS,
  })

export const NewMacro = z
  .strictObject({
    name: requiredText(NAME_MAX).transform((name) => name.trim().normalize('NFC')),
    actions: MacroActions,
  })
  .meta({ fields: FIELDS })
export type NewMacro = z.output<typeof NewMacro>

export const MacroPatch = NewMacro.partial().meta({ fields: FIELDS })
export type MacroPatch = z.output<typeof MacroPatch>

/** Body of `POST /conversations/{id}/run-macro`. */
export const MacroRun = z.strictObject({
  macroId: Id.meta({ description: 'Id of the macro; see `GET /macros`.' }),
})

export const RunMacro = z.object({
  conversation: Conversation,
  messageId: Id.nullable().meta({
    description: 'Id of the message that was sent; null if the macro sends none.',
  }),
})
