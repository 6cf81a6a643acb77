import { z } from 'zod'
import { Id } from '../../core/ids.ts'
import { Instant, JsonObject } from '../../core/text.ts'
import { CATEGORIES, checkTemplate } from '../../operator/template-components/check-template.ts'
import { connectionIdOf } from '../workspaces/operations/connection-id.ts'
import type { TemplateRow } from './queries.ts'

/** What `status` says; paused and disabled are the operator's own later states (FORMATS section 17). */
export const TEMPLATE_STATUSES = ['pending', 'approved', 'rejected', 'paused', 'disabled'] as const
export type TemplateStatus = (typeof TEMPLATE_STATUSES)[number]

const URL_MAX = 2000
const FILENAME_MAX = 200
const VALUES_MAX = 100
const CARDS_MAX = 10
const BUTTONS_MAX = 10

/** A value for a placeholder. What it may hold is judged against the template, naming the placeholder. */
const Value = z.union([z.string(), z.number(), z.null()], 'must be a text or a number')
const Values = z.union(
  [z.array(Value).max(VALUES_MAX, `must hold at most ${VALUES_MAX} values`), z.record(z.string(), Value)],
  'must be a list of values, or an object of values by name',
)

const HeaderMedia = z
  .strictObject({
    id: z.string().min(1, 'must not be empty').max(512, 'must be at most 512 characters').optional(),
    link: z
      .url({ protocol: /^https$/, error: 'must be an https address' })
      .max(URL_MAX, `must be at most ${URL_MAX} characters`)
      .optional(),
    filename: z
      .string()
      .min(1, 'must not be empty')
      .max(FILENAME_MAX, `must be at most ${FILENAME_MAX} characters`)
      .optional(),
  })
  .refine((media) => (media.id === undefined) !== (media.link === undefined), 'must have either id or link')
  .meta({ description: 'The file of a media header: `id` or `link`, and `filename` for a document.' })

const HeaderLocation = z.strictObject({
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
  name: z.string().max(1000).optional(),
  address: z.string().max(1000).optional(),
})

const HeaderProduct = z.strictObject({
  catalogId: z.string().min(1).max(200),
  productRetailerId: z.string().min(1).max(200),
})

const ProductSection = z.strictObject({
  title: z.string().min(1).max(24, 'must be at most 24 characters'),
  productRetailerIds: z.array(z.string().min(1).max(200)).min(1).max(30),
})

/** What one button needs. `index` counts the template's buttons from 0. */
const ButtonValues = z.strictObject({
  index: z
    .int('must be a whole number')
    .min(0)
    .max(BUTTONS_MAX - 1),
  urlSuffix: z
    .string()
    .max(URL_MAX)
    .optional()
    .meta({ description: 'What stands for {{1}} in its address.' }),
  payload: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .meta({ description: 'Comes back when a quick reply is tapped.' }),
  flowToken: z.string().min(1).max(200).optional(),
  flowData: JsonObject.optional(),
  productRetailerId: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: 'The thumbnail of a catalog.' }),
  sections: z
    .array(ProductSection)
    .min(1)
    .max(10)
    .optional()
    .meta({ description: 'The products of a multi-product button.' }),
})
export type ButtonValues = z.output<typeof ButtonValues>

const partFields = {
  variables: Values.optional().meta({
    description: 'Values for the placeholders of the body: in order, or by name.',
  }),
  headerMedia: HeaderMedia.optional(),
  headerProduct: HeaderProduct.optional(),
  couponCode: z.string().optional().meta({ description: 'The code of the copy-code button.' }),
  buttons: z
    .array(ButtonValues)
    .max(BUTTONS_MAX)
    .refine((all) => new Set(all.map((one) => one.index)).size === all.length, 'must name each index once')
    .optional(),
}

const CardValues = z.strictObject(partFields)
export type CardValues = z.output<typeof CardValues>

/** `payload.template` of a template send (spec 4.2): values that fill the approved template, or its components in full. */
export const TemplateSend = z
  .strictObject({
    name: z.string().min(1, 'must not be empty').max(512, 'must be at most 512 characters'),
    language: z
      .union(
        [
          z.string().min(2).max(20),
          z.strictObject({ code: z.string().min(2).max(20), policy: z.string().optional() }),
        ],
        'must be a code such as en_US, or {"code": "en_US"}',
      )
      .transform((given) => ({ code: languageCode(typeof given === 'string' ? given : given.code) })),
    ...partFields,
    headerText: z
      .union([Value, Values])
      .optional()
      .meta({ description: 'Value for the placeholder of a text header.' }),
    headerLocation: HeaderLocation.optional(),
    offerExpiresAt: z.iso
      .datetime({ offset: true, error: 'must be an ISO 8601 time with an offset' })
      .optional()
      .meta({ description: 'When a limited-time offer ends.' }),
    cards: z
      .array(CardValues)
      .max(CARDS_MAX)
      .optional()
      .meta({ description: 'Values for the cards of a carousel.' }),
    components: z
      .array(JsonObject)
      .max(20)
      .optional()
      .meta({ description: "The components in full, in the operator's format, instead of values." }),
  })
  .check(({ value, issues }) => {
    const values = Object.keys(value).filter((key) => !['name', 'language', 'components'].includes(key))
    if (value.components !== undefined && values.length > 0)
      issues.push({
        code: 'custom',
        input: value,
        path: ['components'],
        message: `are given in full, so ${values.join(', ')} must be left out`,
      })
  })
export type TemplateSend = z.output<typeof TemplateSend>

/** `en-US` as webhooks say it is the API's `en_US` (FORMATS section 10). */
export const languageCode = (code: string): string => code.replaceAll('-', '_')

/** A template name as the operator takes it (FORMATS section 6.1). */
const TemplateName = z
  .string()
  .regex(/^[a-z0-9_]{1,512}$/, 'must be 1 to 512 lowercase letters, digits and underscores')
  .meta({ example: 'order_ok' })

const Language = z
  .string()
  .regex(/^[a-z]{2,3}([_-][A-Za-z0-9]{2,4})?$/, 'must be a plain code such as en or en_US')
  .transform(languageCode)
  .meta({ description: 'A plain code such as en or en_US.', example: 'en_US' })

const ParameterFormat = z.enum(['POSITIONAL', 'NAMED'])

/** Body of `POST /templates` (spec 4.4); components in the operator's format, held to its rules. */
export const NewTemplate = z
  .strictObject({
    name: TemplateName,
    language: Language,
    category: z.enum(CATEGORIES, `must be one of ${CATEGORIES.join(', ')}`),
    components: z
      .array(JsonObject, 'must be a list of components')
      .min(1, 'must have a BODY')
      .max(10, 'must have at most 10 components')
      .meta({
        description:
          "HEADER, BODY, FOOTER, BUTTONS … in the operator's format; every variable needs an example. A sample of a media header is a handle of the operator's resumable upload, a media id of `POST /media`, or an https address that is fetched and uploaded.",
      }),
    wabaConnectionId: Id.optional().meta({
      description: 'Only when the workspace has several business accounts; see `GET /phone-numbers`.',
    }),
    parameter_format: ParameterFormat.optional().meta({
      description: 'As the operator calls it; what the placeholders are written as unless said.',
    }),
    message_send_ttl_seconds: z
      .int()
      .min(-1)
      .max(2_592_000)
      .optional()
      .meta({ description: 'How long a message made from it may wait for its customer.' }),
  })
  .transform((body, refining) => {
    const { components, parameterFormat, issues } = checkTemplate(body.category, body.components)
    for (const { path, message } of issues) refining.addIssue({ code: 'custom', path: [path], message })
    if (issues.length === 0 && (body.parameter_format ?? parameterFormat) !== parameterFormat)
      refining.addIssue({
        code: 'custom',
        path: ['parameter_format'],
        message: `the placeholders are ${parameterFormat}`,
      })
    return { ...body, components, parameterFormat }
  })
export type NewTemplate = z.output<typeof NewTemplate>

/** Something that the operator may reject; it does not keep the template from being submitted. */
export const TemplateWarning = z
  .object({
    code: z.enum([
      'missing_opt_out',
      'excessive_capitals',
      'url_in_body',
      'spam_words',
      'too_few_words',
      'text_of_verification',
      'missing_code_button',
    ]),
    path: z.string().meta({ example: 'components' }),
    message: z.string(),
  })
  .meta({ id: 'TemplateWarning' })
export type TemplateWarning = z.output<typeof TemplateWarning>

/** A message template (spec 2.8). */
export const Template = z
  .object({
    id: Id,
    metaTemplateId: z
      .string()
      .nullable()
      .meta({ description: "The operator's id; null until it is known that it has the template." }),
    wabaConnectionId: Id.meta({ description: 'The business account that it belongs to.' }),
    name: z.string(),
    language: z.string(),
    category: z.string().meta({
      description: 'MARKETING, UTILITY or AUTHENTICATION; the operator may change it.',
      example: 'UTILITY',
    }),
    status: z.enum(TEMPLATE_STATUSES).meta({
      description: 'Pending until the operator decides; paused and disabled are its later states.',
    }),
    parameterFormat: ParameterFormat,
    components: z.array(z.record(z.string(), z.unknown())),
    rejectedReason: z.string().nullable(),
    quality: z.string().nullable().meta({ description: 'GREEN, YELLOW, RED or UNKNOWN.' }),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'Template' })

/** A stored template as replies carry it. */
export const presentTemplate = (row: TemplateRow): z.input<typeof Template> => ({
  id: row.id,
  metaTemplateId: row.metaTemplateId,
  wabaConnectionId: connectionIdOf(row.workspaceId, row.accountId),
  name: row.name,
  language: row.language,
  category: row.category,
  status: row.status,
  parameterFormat: row.parameterFormat,
  components: row.components,
  rejectedReason: row.rejectedReason,
  quality: row.quality,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})
