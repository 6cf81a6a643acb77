import { z } from 'zod'
import { customerText } from '../../../core/customer-details.ts'
import { Id } from '../../../core/ids.ts'
import { cursorQuery } from '../../../core/paging.ts'
import { Instant } from '../../../core/values/text.ts'
import { AttributeName, characters } from '../../messaging/contacts/schema.ts'

const SUBMISSION_STATES = ['needs_attention', 'captured', 'dismissed'] as const
/** The count of submissions stops here. */
export const OPEN_MAX = 100
const MAX_FIELDS = 400
const MAX_PATH = 1_000

/** The fields that an answer can be mapped to. A custom field is `attributes.` and its name. */
export const MAPPABLE = [
  'phone',
  'name',
  'firstName',
  'lastName',
  'email',
  'note',
  'source',
  'ignore',
] as const
const ATTRIBUTE = 'attributes.'

/** A submission at the capture link, in lists. */
export const SubmissionSummary = z
  .object({
    id: Id,
    state: z.enum(SUBMISSION_STATES).meta({
      description:
        'State of the submission. `captured`: it became a lead. `dismissed`: a test, a robot, or dismissed by a teammate.',
    }),
    reason: z.object({ code: z.string(), message: z.string() }).nullable().meta({
      description:
        'Why it did not become a lead: `no_number`, `bad_number`, `test`, `robot`, `empty`, or an error code. Null for a lead.',
    }),
    form: z.string().nullable().meta({ description: 'Name of the form, if the submission has one.' }),
    preview: customerText(z.string()).meta({ description: 'The first answers, as one line.' }),
    times: z.number().int().meta({ description: 'Number of times that the same submission arrived.' }),
    leadId: Id.nullable(),
    receivedAt: Instant,
    lastReceivedAt: Instant,
  })
  .meta({
    id: 'SubmissionSummary',
    description: 'A submission at the capture link.',
    fields: {
      leadId: 'Id of the lead that was created from it or found; null for none.',
      receivedAt: 'When it first arrived, in UTC.',
      lastReceivedAt: 'When it last arrived, in UTC.',
      'reason.code': 'Code of the reason.',
    },
  })

const Meaning = z.string().meta({
  description: `Meaning of the field: ${MAPPABLE.join(', ')}, or \`attributes.\` and the key of a custom field.`,
})

/** A submission with all its data. */
export const Submission = SubmissionSummary.extend({
  fields: z
    .array(
      z.object({
        path: z.string(),
        label: z.string(),
        values: z.array(customerText(z.string())),
        suggestion: Meaning.nullable().meta({ description: 'Suggested meaning of the field.' }),
      }),
    )
    .meta({ description: 'Its answers, in order; empty if they are not readable.' }),
  contentType: z.string().nullable(),
  headers: z.record(z.string(), customerText(z.string())).meta({
    description: 'The headers userAgent, origin, and referer, as sent; contentLength for a body over 64 KB.',
  }),
  body: customerText(z.string()).meta({
    description: 'The original body as text; for a body over 64 KB, its first 64 KB.',
  }),
}).meta({
  id: 'Submission',
  description: 'A submission at the capture link with its fields.',
  fields: {
    leadId: 'Id of the lead that was created from it or found; null for none.',
    receivedAt: 'When it first arrived, in UTC.',
    lastReceivedAt: 'When it last arrived, in UTC.',
    'reason.code': 'Code of the reason.',
    'fields.path': 'Name of the field in the submission.',
    'fields.label': 'Label of the field, as the form names it.',
    'fields.values': 'Values that were entered.',
    contentType: 'Media type of the submission; null if it named none.',
  },
})

export const SubmissionQuery = z.object({
  ...cursorQuery,
  state: z
    .enum(SUBMISSION_STATES)
    .default('needs_attention')
    .meta({ description: 'Only submissions in this state. Default: `needs_attention`.' }),
})
export type SubmissionQuery = z.output<typeof SubmissionQuery>

const isMeaning = (text: string): boolean =>
  (MAPPABLE as readonly string[]).includes(text) ||
  (text.startsWith(ATTRIBUTE) && AttributeName.safeParse(text.slice(ATTRIBUTE.length)).success)

/** Body of `POST /lead-submissions/{id}/lead`. */
export const SubmissionMapping = z.strictObject({
  fields: z
    .record(
      z.string().max(MAX_PATH),
      z.string().refine(isMeaning, `Must be one of ${MAPPABLE.join(', ')}, or attributes.NAME.`),
    )
    .refine((fields) => Object.keys(fields).length <= MAX_FIELDS, `Must have at most ${MAX_FIELDS} fields.`)
    .default({})
    .meta({ description: 'Meaning of each field, by its path. Parley reads omitted fields as usual.' }),
  phone: z
    .string()
    .min(1, 'Must not be empty.')
    .max(200)
    .optional()
    .meta({ description: 'Phone number entered by hand. It takes precedence over a mapped field.' }),
  name: characters(200).optional().meta({ description: 'Name entered by hand.' }),
  remember: z.boolean().default(true).meta({
    description: 'Whether to read the next submissions with the same form and fields in the same way.',
  }),
})
export type SubmissionMapping = z.output<typeof SubmissionMapping>

/** Body of `PATCH /lead-submissions/{id}`. */
export const SubmissionPatch = z.strictObject({ state: z.enum(['needs_attention', 'dismissed']) }).meta({
  fields: {
    state: '`dismissed` removes the submission from "Needs attention"; `needs_attention` restores it.',
  },
})
export type SubmissionPatch = z.output<typeof SubmissionPatch>
