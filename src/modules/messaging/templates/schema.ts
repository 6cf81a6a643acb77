import { z } from 'zod'
import { Id } from '../../../core/ids.ts'
import { Instant, JsonObject } from '../../../core/values/text.ts'
import { CATEGORIES, checkTemplate } from '../../../operator/template-components/check-template.ts'
import { connectionIdOf } from '../../platform/workspaces/operations/connection-id.ts'
import { NO_RESULTS, RESULT_DAYS } from './operations/read-results.ts'
import type { TemplateRow } from './queries/templates.ts'

/**
 * The values of `status`; paused and disabled are later states of the operator (docs/formats.md section 17).
 */
export const TEMPLATE_STATUSES = ['pending', 'approved', 'rejected', 'paused', 'disabled'] as const
export type TemplateStatus = (typeof TEMPLATE_STATUSES)[number]

/** Converts `en-US`, as in webhooks, to the API's `en_US` (docs/formats.md section 10). */
export const languageCode = (code: string): string => code.replaceAll('-', '_')

/** A template name in the operator's format (docs/formats.md section 6.1). */
const TemplateName = z
  .string()
  .regex(/^[a-z0-9_]{1,512}$/, 'Must be 1 to 512 lowercase letters, digits and underscores.')
  .meta({ example: 'order_ok' })

const Language = z
  .string()
  .regex(/^[a-z]{2,3}([_-][A-Za-z0-9]{2,4})?$/, 'Must be a language code, such as en or en_US.')
  .transform(languageCode)
  .meta({ description: 'Language code, such as `en` or `en_US`.', example: 'en_US' })

/** A category in upper or lower case, as the operator accepts it. */
export const TemplateCategory = z
  .preprocess(
    (value) => (typeof value === 'string' ? value.toUpperCase() : value),
    z.enum(CATEGORIES, `Must be one of ${CATEGORIES.join(', ')}.`),
  )
  .meta({
    description: 'Category of the template, in upper or lower case.',
    enum: [...CATEGORIES],
    type: 'string',
  })

const ParameterFormat = z.enum(['POSITIONAL', 'NAMED'])

const fields = {
  name: TemplateName,
  language: Language,
  category: TemplateCategory,
  components: z
    .array(JsonObject, 'Must be a list of components.')
    .min(1, 'Must have a BODY.')
    .max(10, 'Must have at most 10 components.')
    .meta({
      description:
        "HEADER, BODY, FOOTER, BUTTONS … in the operator's format. Every variable needs an example. The sample of a media header is a handle of the operator's resumable upload, a media id from `POST /media`, or an https address, which Parley downloads and uploads to the operator.",
    }),
  wabaConnectionId: Id.optional().meta({
    description:
      'Id of the business account. Required only if the workspace has several business accounts; see `GET /phone-numbers`.',
  }),
  parameter_format: ParameterFormat.optional().meta({
    description: "Format of the placeholders, in the operator's terms. Default: taken from the placeholders.",
  }),
  message_send_ttl_seconds: z.int().min(-1).max(2_592_000).optional().meta({
    description:
      'How long the operator keeps trying to deliver a message made from this template, in seconds.',
  }),
}

/** Body of `POST /templates/lint`: an unfinished template. */
export const TemplateDraft = z
  .strictObject({
    ...fields,
    name: z.string().max(512).meta({ example: 'order_ok' }),
    language: z.string().max(20).meta({ example: 'en_US' }),
  })
  .meta({ fields: { name: 'Name of the template.' } })

/** Body of `POST /templates` (spec 4.4); components in the operator's format, checked by its rules. */
export const NewTemplate = z
  .strictObject(fields)
  .transform((body, refining) => {
    const { components, parameterFormat, issues } = checkTemplate(body.category, body.components)
    for (const { path, message } of issues) refining.addIssue({ code: 'custom', path: [path], message })
    if (issues.length === 0 && (body.parameter_format ?? parameterFormat) !== parameterFormat)
      refining.addIssue({
        code: 'custom',
        path: ['parameter_format'],
        message: `Must match the placeholders, which are ${parameterFormat}.`,
      })
    return { ...body, components, parameterFormat }
  })
  .meta({ fields: { name: 'Name of the template.' } })
export type NewTemplate = z.output<typeof NewTemplate>

/** A possible reason for rejection; it does not prevent the submission. */
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
  .meta({ id: 'TemplateWarning', description: 'Why the operator may reject a template.' })
export type TemplateWarning = z.output<typeof TemplateWarning>

/** A message template (spec 2.8). */
export const Template = z
  .object({
    id: Id,
    metaTemplateId: z
      .string()
      .nullable()
      .meta({ description: "The operator's id of the template; null until the operator assigns it." }),
    wabaConnectionId: Id.meta({ description: 'Id of the business account that it belongs to.' }),
    name: z.string(),
    language: z.string(),
    category: z.string().meta({
      description: 'Category: MARKETING, UTILITY, or AUTHENTICATION. The operator may change it.',
      example: 'UTILITY',
    }),
    status: z.enum(TEMPLATE_STATUSES).meta({
      description:
        'State of the template: pending until the operator decides. Later it can be paused or disabled.',
    }),
    parameterFormat: ParameterFormat,
    components: z.array(z.record(z.string(), z.unknown())),
    sampleType: z.string().nullable().meta({
      description:
        'Media type of the sample file in the header, if Parley has a copy; null without one. Pages show the copy.',
      example: 'image/jpeg',
    }),
    rejectedReason: z.string().nullable(),
    results: z
      .object({
        sent: z.int().meta({ description: 'Messages that the operator sent.' }),
        delivered: z.int().meta({ description: 'Messages of these that were delivered.' }),
        read: z.int().meta({ description: 'Messages of these that were read.' }),
        failed: z.int().meta({ description: 'Messages that failed permanently.' }),
        topFailure: z
          .object({
            code: z
              .int()
              .nullable()
              .meta({ description: "The operator's error code; null if it gave none." }),
            title: z.string().meta({ description: 'Text of the error.' }),
            count: z.int().meta({ description: 'Failed messages with this error.' }),
          })
          .nullable()
          .meta({ description: 'The most frequent error; null without failures.' }),
      })
      .meta({
        description: `Messages of the last ${RESULT_DAYS} days that were made from it, today included: of campaigns, automations, programs, and members. They count on the day of sending, in the workspace's time zone.`,
      }),
    quality: z
      .string()
      .meta({ description: 'Quality rating: GREEN, YELLOW, RED, or UNKNOWN until there is one.' }),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({
    id: 'Template',
    description: 'A message template.',
    fields: {
      name: 'Name of the template.',
      parameterFormat: 'How placeholders are written: `{{1}}` (POSITIONAL) or `{{name}}` (NAMED).',
      rejectedReason: "The operator's reason for rejecting it; null without one.",
    },
  })

const NOTHING_YET = { results: NO_RESULTS, sampleType: null }

/** Presents a stored template in answers. */
export const presentTemplate = (
  row: TemplateRow,
  { results, sampleType }: Pick<z.input<typeof Template>, 'results' | 'sampleType'> = NOTHING_YET,
): z.input<typeof Template> => ({
  id: row.id,
  metaTemplateId: row.metaTemplateId,
  wabaConnectionId: connectionIdOf(row.workspaceId, row.accountId),
  name: row.name,
  language: row.language,
  category: row.category,
  status: row.status,
  parameterFormat: row.parameterFormat,
  components: row.components,
  sampleType,
  rejectedReason: row.rejectedReason,
  quality: row.quality,
  results,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})
