import { z } from 'zod'
import { customerData, customerName } from '../../../core/customer-details.ts'
import { Id } from '../../../core/ids.ts'
import { cursorQuery } from '../../../core/paging.ts'
import { Instant, InstantInput } from '../../../core/values/text.ts'
import { oneOf, words } from '../../../operator/message-payload/fields.ts'
import { requiredText } from '../contacts/schema.ts'
import { UserId } from '../messages/sending/send-schema.ts'
import { FLOW_CATEGORIES, FLOW_FIELD_KINDS, FlowScreens } from './design/schema.ts'

/** The operator's states of a form, in lower case. */
export const FLOW_STATUSES = ['draft', 'published', 'deprecated', 'blocked', 'throttled'] as const

const FLOW_FIELDS = {
  name: 'Name of the form.',
  status: 'State of the form at the operator.',
  categories: 'Categories of the form at the operator, such as `SIGN_UP`.',
}

/** An in-chat form of the business (spec 4.3). */
export const Flow = z
  .object({
    id: Id,
    metaFlowId: z.string().meta({ description: "The operator's id of the form." }),
    wabaConnectionId: Id.meta({ description: 'Id of the business account that it belongs to.' }),
    name: z.string(),
    status: z.enum(FLOW_STATUSES),
    published: z.boolean().meta({ description: 'Whether it can be sent to customers.' }),
    categories: z.array(z.string()),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({
    id: 'Flow',
    description: 'An in-chat form of your business.',
    fields: FLOW_FIELDS,
  })

/** The days in which the sends and answers of a form are counted, and the most of each that are counted. */
export const COUNTED_DAYS = 30
export const MAX_COUNTED = 10_000

/** A form in a list, with its sends and answers. */
export const ListedFlow = Flow.extend({
  sent: z.int().meta({
    description: `Messages with this form in the last ${COUNTED_DAYS} days that were not rejected; ${MAX_COUNTED.toLocaleString('en-US')} at most.`,
  }),
  answered: z.int().meta({ description: 'Messages among them that customers answered.' }),
}).meta({
  id: 'ListedFlow',
  description: 'An in-chat form in a list, with its sends and answers.',
  fields: FLOW_FIELDS,
})

/** A form with its design. */
export const FlowDetails = Flow.extend({
  screens: FlowScreens.nullable().meta({
    description: 'Screens of the form; null for a form that was created at the operator.',
  }),
  faults: z.array(z.string()).meta({
    description: 'Errors that the operator found. A form with errors cannot be published.',
  }),
}).meta({ id: 'FlowDetails', description: 'An in-chat form with its design.', fields: FLOW_FIELDS })

const Name = requiredText(200).meta({
  description: 'Name of the form, unique in the business account. Customers do not see it.',
  example: 'Visits in summer',
})
const Categories = z
  .array(z.enum(FLOW_CATEGORIES, `Must be one of ${FLOW_CATEGORIES.join(', ')}.`))
  .min(1, 'Must not be empty.')
  .max(FLOW_CATEGORIES.length, `Must have at most ${FLOW_CATEGORIES.length} categories.`)
  .meta({ description: "The operator's categories of the form." })
const Screens = FlowScreens.meta({
  description: 'Screens in the order in which the customer fills them.',
})

/** Body of `POST /flows`. */
export const NewFlow = z.strictObject({
  name: Name,
  categories: Categories.default(['OTHER']),
  screens: Screens,
  wabaConnectionId: Id.optional().meta({
    description:
      'Id of the business account; see `GET /phone-numbers`. Default: the only account of the workspace.',
  }),
})
export type NewFlow = z.output<typeof NewFlow>

/** Body of `PATCH /flows/{id}`. New screens replace all screens. */
export const FlowPatch = z
  .strictObject({ name: Name.optional(), categories: Categories.optional(), screens: Screens.optional() })
  .refine((patch) => Object.keys(patch).length > 0, 'Must have at least one field.')
export type FlowPatch = z.output<typeof FlowPatch>

/** One answer of a customer to a form. */
export const FlowAnswer = z
  .object({
    messageId: Id,
    contactId: Id,
    conversationId: Id,
    fields: customerData(z.record(z.string(), z.unknown())).meta({
      description: "Answers by the names of the form's fields.",
    }),
    createdAt: Instant,
  })
  .meta({ id: 'FlowAnswer', description: 'An answer of a customer to an in-chat form.' })

/** The answers that a summary and a filter read: the newest ones of the period. */
export const MAX_SUMMARIZED = 20_000

const FIELD_NAME_MAX = 200
const VALUE_MAX = 1_000

const period = {
  from: InstantInput.optional().meta({ description: 'Only answers at this time or later.' }),
  to: InstantInput.optional().meta({ description: 'Only answers before this time.' }),
}

/** Query of `GET /flows/{id}/answers/summary`. */
export const AnswerPeriod = z.object(period)

/** Query of `GET /flows/{id}/answers`. */
export const AnswerFilter = z
  .object({
    ...cursorQuery,
    ...period,
    field: z
      .string()
      .max(FIELD_NAME_MAX, `Must be at most ${FIELD_NAME_MAX} characters.`)
      .optional()
      .meta({
        description: `Name of a field: only answers with this \`value\`, among the newest ${MAX_SUMMARIZED.toLocaleString('en-US')}.`,
        example: 'part_of_day',
      }),
    value: z.string().max(VALUE_MAX, `Must be at most ${VALUE_MAX} characters.`).optional().meta({
      description: 'Value of the field, such as the title of an option; `true` or `false` for a consent.',
      example: 'Morning',
    }),
  })
  .superRefine(({ field, value }, context) => {
    if ((field === undefined) === (value === undefined)) return
    const [path, other] = field === undefined ? ['field', 'value'] : ['value', 'field']
    context.addIssue({ code: 'custom', path: [path], message: `Required with ${other}.` })
  })

const count = z.number().int()

/** The answers to one question. */
export const FlowFieldSummary = z
  .object({
    name: z.string(),
    label: z.string(),
    kind: z.enum(FLOW_FIELD_KINDS).nullable(),
    answered: count.meta({ description: 'Number of answers with a value in this field.' }),
    options: z.array(z.object({ value: customerName(z.string()), count })),
    range: z
      .object({
        smallest: customerName(z.string()),
        median: customerName(z.string()),
        largest: customerName(z.string()),
      })
      .nullable()
      .meta({ description: 'Smallest, middle, and largest number or date; null for other fields.' }),
    texts: z
      .array(z.object({ messageId: Id, text: customerName(z.string()), createdAt: Instant }))
      .meta({ description: 'The newest five texts; empty for questions with options, numbers, and dates.' }),
  })
  .meta({
    id: 'FlowFieldSummary',
    description: 'The answers to one question of an in-chat form.',
    fields: {
      name: "Name of the form's field.",
      label: 'Label of the field; its name for a field outside the design.',
      kind: 'Kind of the field; null for a field outside the design.',
      options:
        'Options with the number of their answers: those of the design in its order, then up to 50 others. Empty for other fields.',
      'options.value': 'Title of the option; `true` or `false` for a consent.',
      'options.count': 'Number of answers with this option.',
      'range.smallest': 'Smallest number, or earliest date, as text.',
      'range.median': 'Number or date in the middle, as text.',
      'range.largest': 'Largest number, or latest date, as text.',
      'texts.messageId': 'Id of the message with the answer.',
      'texts.text': 'Text of the answer.',
    },
  })

/** The answers of customers to a form in a period. */
export const FlowAnswerSummary = z
  .object({
    answers: count.meta({
      description: `Number of summarized answers, at most ${MAX_SUMMARIZED.toLocaleString('en-US')}.`,
    }),
    limited: z.boolean().meta({
      description: 'Whether the period has more answers. Only the newest are summarized.',
    }),
    fields: z.array(FlowFieldSummary).meta({
      description: 'The fields of the design in its order, then others in the answers.',
    }),
  })
  .meta({ id: 'FlowAnswerSummary', description: 'The answers of customers to an in-chat form, summarized.' })

/** Body of `POST /flows/{id}/send`: the recipient, the texts around the button, and how the form opens. */
export const FlowSend = z
  .strictObject({
    to: words(200).optional().meta({
      description:
        'Phone number in E.164, with or without `+`, `chan:<user id>`, or `contact:<id>` of a contact.',
      example: '+919812345678',
    }),
    recipient: UserId.optional().meta({
      description: "The customer's user id on the chat network. Ignored if `to` is sent too.",
    }),
    conversationId: Id.optional().meta({
      description: 'Id of the conversation, instead of `to` or `recipient`.',
    }),
    phoneNumberId: Id.optional().meta({
      description:
        "Id of the sending number. Default: the first active number of the form's business account.",
    }),
    body: words(1024).meta({ example: 'Tell us when it suits you.' }),
    cta: words(20).meta({ description: 'Label of the button.', example: 'Book a visit' }),
    header: words(60).optional(),
    footer: words(60).optional(),
    flowToken: words(200).optional().meta({
      description: 'Token that returns to you with the answer. Default: created by Parley.',
    }),
    mode: oneOf(['published', 'draft']).optional().meta({
      description: '`draft` sends a form that is not published yet, for tests.',
    }),
    screen: words(200).optional().meta({ description: 'Screen that the form opens with.' }),
    data: z
      .record(z.string(), z.unknown())
      .refine((data) => Object.keys(data).length > 0, 'Must not be empty.')
      .optional()
      .meta({ description: 'Data for the first screen.' }),
    replyTo: words(256)
      .optional()
      .meta({ description: 'The channel message id of the message that this one replies to.' }),
  })
  .superRefine((body, context) => {
    const raise = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message })
    const { to, recipient, conversationId, phoneNumberId, screen, data } = body
    if (conversationId === undefined) {
      if (to === undefined && recipient === undefined)
        raise('to', 'Required (or recipient, or conversationId).')
    } else
      for (const [field, value] of Object.entries({ to, recipient, phoneNumberId }))
        if (value !== undefined) raise(field, 'Must be left out when conversationId is sent.')
    if (data !== undefined && screen === undefined) raise('screen', 'Required with data.')
  })
  .meta({
    fields: {
      body: 'Text above the button.',
      header: 'Heading of the message.',
      footer: 'Small text below the message.',
    },
  })
export type FlowSend = z.output<typeof FlowSend>
