/** The design of an in-chat form: screens of fields, in the limits of the operator. */
import { z } from 'zod'
import { isLonger } from '../../../../core/values/cut-text.ts'
import { requiredText } from '../../contacts/schema.ts'

const SCREENS_MAX = 8
const FIELDS_MAX = 20
const OPTIONS_MAX = 20
const TITLE_MAX = 30
const LABEL_MAX = { text: 20, choice: 30, date: 40, consent: 120 } as const

/** The operator's categories of a form. */
export const FLOW_CATEGORIES = [
  'SIGN_UP',
  'SIGN_IN',
  'APPOINTMENT_BOOKING',
  'LEAD_GENERATION',
  'SHOPPING',
  'CONTACT_US',
  'CUSTOMER_SUPPORT',
  'SURVEY',
  'OTHER',
] as const

export const FLOW_FIELD_KINDS = [
  'text',
  'paragraph',
  'number',
  'email',
  'phone',
  'choice',
  'choices',
  'dropdown',
  'date',
  'consent',
] as const
export type FlowFieldKind = (typeof FLOW_FIELD_KINDS)[number]

/** Returns whether a field of the kind offers options. */
export const hasOptions = (kind: FlowFieldKind): boolean =>
  kind === 'choice' || kind === 'choices' || kind === 'dropdown'

/** Returns the operator's limit of a field's label, in characters. */
export const labelMaxOf = (kind: FlowFieldKind): number =>
  kind === 'date' || kind === 'consent'
    ? LABEL_MAX[kind]
    : hasOptions(kind) && kind !== 'dropdown'
      ? LABEL_MAX.choice
      : LABEL_MAX.text

const NAME = 'Must start with a letter, and have at most 40 lowercase letters, digits, and underscores.'

export const FlowField = z
  .strictObject({
    name: z
      .string(NAME)
      .regex(/^[a-z][a-z0-9_]{0,39}$/, NAME)
      .meta({
        description: 'Name of the answer, as in `flow.completed`. Unique in the form.',
        example: 'visit_day',
      }),
    kind: z.enum(FLOW_FIELD_KINDS, `Must be one of ${FLOW_FIELD_KINDS.join(', ')}.`).meta({
      description:
        'Kind of the field. `choice` and `dropdown` allow one option, `choices` several. `consent` is a box to check.',
    }),
    label: requiredText(LABEL_MAX.consent).meta({
      description:
        'Label. At most 20 characters; 30 for `choice` and `choices`, 40 for `date`, 120 for `consent`.',
      example: 'Day of your visit',
    }),
    required: z
      .boolean('Must be true or false.')
      .optional()
      .meta({ description: 'Whether the customer must answer. Default: no.' }),
    help: requiredText(80).optional().meta({
      description:
        'Small text below the field. Only for `text`, `paragraph`, `number`, `email`, `phone`, and `date`.',
    }),
    options: z
      .array(requiredText(TITLE_MAX))
      .min(1, 'Must not be empty.')
      .max(OPTIONS_MAX, `Must have at most ${OPTIONS_MAX} options.`)
      .optional()
      .meta({
        description: 'Options of `choice`, `choices`, and `dropdown`.',
        example: ['Morning', 'Evening'],
      }),
  })
  .superRefine(({ kind, label, help, options }, context) => {
    const raise = (path: PropertyKey[], message: string) =>
      context.addIssue({ code: 'custom', path, message })
    const max = labelMaxOf(kind)
    if (isLonger(label, max)) raise(['label'], `Must be at most ${max} characters for ${kind}.`)
    if (hasOptions(kind)) {
      if (options === undefined) raise(['options'], `Required for ${kind}.`)
      else
        for (const [i, option] of options.entries())
          if (options.indexOf(option) < i) raise(['options', i], 'Must differ from the other options.')
      if (help !== undefined) raise(['help'], `Must be left out for ${kind}.`)
    } else if (options !== undefined) raise(['options'], `Must be left out for ${kind}.`)
    if (kind === 'consent' && help !== undefined) raise(['help'], 'Must be left out for consent.')
  })
  .meta({ id: 'FlowField', description: 'A field of an in-chat form.' })
export type FlowField = z.output<typeof FlowField>

export const FlowScreen = z
  .strictObject({
    title: requiredText(TITLE_MAX).meta({ description: 'Title above the screen.', example: 'Book a visit' }),
    text: requiredText(4_096)
      .optional()
      .meta({ description: 'Text above the fields.', example: 'We are open from 9 to 6.' }),
    fields: z
      .array(FlowField)
      .max(FIELDS_MAX, `Must have at most ${FIELDS_MAX} fields.`)
      .meta({ description: 'Fields of the screen, from top to bottom.' }),
    button: requiredText(35).meta({
      description: 'Label of the button, which opens the next screen or submits the form.',
      example: 'Next',
    }),
  })
  .refine(({ text, fields }) => text !== undefined || fields.length > 0, {
    path: ['fields'],
    message: 'Must not be empty without text.',
  })
  .meta({ id: 'FlowScreen', description: 'A screen of an in-chat form.' })

/** The screens of a form, in their order. The names of fields are unique in the whole form. */
export const FlowScreens = z
  .array(FlowScreen)
  .min(1, 'Must not be empty.')
  .max(SCREENS_MAX, `Must have at most ${SCREENS_MAX} screens.`)
  .superRefine((screens, context) => {
    const seen = new Set<string>()
    for (const [i, { fields }] of screens.entries())
      for (const [k, { name }] of fields.entries()) {
        if (seen.has(name))
          context.addIssue({
            code: 'custom',
            path: [i, 'fields', k, 'name'],
            message: 'Must differ from the names of the other fields.',
          })
        seen.add(name)
      }
    if (seen.size === 0)
      context.addIssue({
        code: 'custom',
        path: [0, 'fields'],
        message: 'Must have a field on one of the screens.',
      })
  })
export type FlowScreens = z.output<typeof FlowScreens>
