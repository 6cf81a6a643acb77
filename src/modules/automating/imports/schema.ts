import { z } from 'zod'
import { customerData, customerPhone, customerText } from '../../../core/customer-details.ts'
import { Id } from '../../../core/ids.ts'
import { Instant } from '../../../core/values/text.ts'
import { ATTRIBUTES_MAX, characters, requiredText } from '../../messaging/contacts/schema.ts'
import { DATE_FORMATS, type FormatBasis, NUMBER_FORMATS } from './operations/cells/column-formats.ts'
import { DELIMITERS } from './operations/csv/delimiter.ts'
import { knownEncoding } from './operations/csv/encoding.ts'

const IMPORT_KINDS = ['contacts', 'leads'] as const
export type ImportKind = (typeof IMPORT_KINDS)[number]

const IMPORT_STATES = ['ready', 'checking', 'checked', 'running', 'done', 'failed'] as const
export type ImportState = (typeof IMPORT_STATES)[number]

export const MAX_ROWS = 50_000
export const MAX_COLUMNS = 200
export const SAMPLE_ROWS = 5

/** Phone columns in order of preference. The next is used if the previous is empty or has no number. */
export const PHONE_FIELDS = ['phone', 'phone2', 'phone3'] as const

/** The fields of a contact, of a lead, and of both that a column can be. */
export const CONTACT_FIELDS = [
  'phone',
  'displayName',
  'language',
  'tags',
  'optInStatus',
  'optInSource',
] as const
export const LEAD_FIELDS = [
  'phone',
  'name',
  'email',
  'source',
  'note',
  'stage',
  'lostReason',
  'owner',
  'rating',
  'dealValue',
  'tags',
  'nextFollowUpAt',
] as const
/** More phone numbers, and the parts of a name, joined if no column has the whole name. */
const PARTS = ['phone2', 'phone3', 'firstName', 'lastName'] as const
export const FIELDS_OF = {
  contacts: [...CONTACT_FIELDS, ...PARTS],
  leads: [...LEAD_FIELDS, ...PARTS],
} as const satisfies Record<ImportKind, readonly string[]>

/** The prefix of a custom field's name. */
export const ATTRIBUTE = 'attributes.'

const Column = characters(100, 1)
const Target = characters(ATTRIBUTE.length + 100, 1)

/** Fields by column. Columns that aren't listed are ignored. */
const Mapping = z
  .record(Column, Target)
  .refine(
    (mapping) => Object.keys(mapping).length <= MAX_COLUMNS && Object.keys(mapping).length > 0,
    `Must have 1 to ${MAX_COLUMNS} columns.`,
  )
export type Mapping = z.output<typeof Mapping>

/** Values for every row, by field. Tags are added to the row's tags. */
const Constants = z
  .record(Target, requiredText(5_000))
  .refine(
    (constants) => Object.keys(constants).length <= ATTRIBUTES_MAX,
    `Must have at most ${ATTRIBUTES_MAX}.`,
  )

/** Formats by column, if the values don't decide or decide wrongly. */
const Formats = z.record(Column, z.enum([...NUMBER_FORMATS, ...DATE_FORMATS]))
export type Formats = z.output<typeof Formats>

/** A name known to TextDecoder. */
const EncodingName = z
  .string()
  .max(40, 'Must be at most 40 characters.')
  .refine((name) => knownEncoding(name) !== undefined, 'Must be an encoding, such as utf-8 or windows-1252.')

/** Body of `POST /imports`. */
export const NewImport = z.strictObject({
  fileBase64: z.string('Must be the file in base64.').meta({
    description:
      'A CSV file, or a vCard file (.vcf) from an address book, in base64; at most 16 MB before encoding. In a CSV file, one row can contain the names of the columns.',
  }),
  filename: requiredText(200),
  encoding: EncodingName.optional().meta({
    description: 'Character encoding of the file. Default: detected.',
    example: 'windows-1252',
  }),
  delimiter: z
    .enum(DELIMITERS)
    .optional()
    .meta({ description: 'Separator of the cells. Default: detected.' }),
})
export type NewImport = z.output<typeof NewImport>

const choices = {
  headingLine: z.int().min(0).nullable().optional().meta({
    description:
      'Line of the file with the names of the columns; null if there is none and all rows are data. Default: detected. The cells of this line are the names of the columns.',
  }),
  countryColumn: Column.nullable().optional().meta({
    description:
      'Column with the country of phone numbers without a country code: a calling code, an ISO code, or a name. Null for none. Default: detected.',
  }),
  formats: Formats.optional().meta({
    description:
      'Format of the numbers or dates in a column. Default: detected from all values of the column.',
    example: { 'Deal value': 'decimalComma', Joined: 'dayFirst' },
  }),
}
export type ImportChoices = {
  headingLine?: number | null | undefined
  countryColumn?: string | null | undefined
  formats?: Formats | undefined
}

/** Body of `PATCH /imports/{id}`. */
export const StartImport = z.strictObject({
  kind: z.enum(IMPORT_KINDS),
  mapping: Mapping.meta({ example: { Mobile: 'phone', City: 'attributes.city' } }),
  constants: Constants.default({}).meta({ example: { tags: 'expo' } }),
  ...choices,
  dryRun: z
    .boolean()
    .default(false)
    .meta({ description: 'Whether to only check the rows and store nothing.' }),
})
export type StartImport = z.output<typeof StartImport>

/** Body of `POST /imports/{id}/preview`. */
export const PreviewRequest = z.strictObject({
  kind: z.enum(IMPORT_KINDS).default('contacts'),
  mapping: Mapping.or(z.object({}))
    .optional()
    .meta({ description: 'Meaning of each column. Default: the suggestion.' }),
  constants: Constants.default({}),
  ...choices,
})
export type PreviewRequest = z.output<typeof PreviewRequest>

const Guess = z.object({ contacts: Mapping.or(z.object({})), leads: Mapping.or(z.object({})) }).meta({
  description: 'Suggested meaning of the columns, by kind.',
})
const Sample = z.array(z.record(z.string(), customerText(z.string())))
const BASES = ['chosen', 'column', 'file', 'country', 'mixed'] as const satisfies FormatBasis[]

/** Rows as an import would read them. */
export const Preview = z
  .object({
    columns: z.array(z.string()),
    rowCount: z.int().meta({ description: 'Number of rows with data.' }),
    sample: Sample.meta({ description: 'The first rows that are still stored.' }),
    guess: Guess,
    lines: z.array(z.object({ line: z.int(), cells: z.array(customerText(z.string())) })).meta({
      description:
        'The first rows of the file with their line numbers, to choose the row with the names of the columns.',
    }),
    headingLine: z.int().nullable(),
    countryColumn: z.string().nullable(),
    formats: z
      .record(
        z.string(),
        z.object({
          kind: z.enum(['number', 'date']),
          format: z.enum([...NUMBER_FORMATS, ...DATE_FORMATS]).nullable(),
          basis: z.enum(BASES),
        }),
      )
      .meta({
        description:
          'Format of mapped columns of numbers and dates, and its source: chosen, the values of the column or of the file, the country of the workspace, or mixed if the values contradict each other.',
      }),
    rows: z.array(
      z.object({
        line: z.int(),
        phone: customerPhone(z.string()).nullable(),
        country: z.string().nullable().meta({ description: 'Country of the phone number (ISO 3166).' }),
        values: customerData(z.record(z.string(), z.unknown())).meta({
          description: "Values by Parley's field.",
        }),
        reason: customerText(z.string())
          .nullable()
          .meta({ description: 'Why the row would be rejected, as far as its cells show.' }),
      }),
    ),
  })
  .meta({ id: 'ImportPreview' })

/** An import in a response. */
export const Import = z
  .object({
    id: Id,
    filename: z.string(),
    state: z.enum(IMPORT_STATES).meta({
      description:
        'State of the import. ready: its columns can be mapped; checking and checked: a dry run; running and done: the import; failed: it stopped, and `error` has the reason.',
    }),
    kind: z.enum(IMPORT_KINDS).nullable(),
    encoding: z
      .string()
      .nullable()
      .meta({ description: 'Character encoding that was used to read the file.', example: 'utf-8' }),
    headingLine: z
      .int()
      .nullable()
      .meta({ description: 'Line with the names of the columns; null if there is none.' }),
    columns: z.array(z.string()),
    sample: Sample.meta({ description: 'The first rows that are still stored.' }),
    guess: Guess,
    countryColumn: z
      .string()
      .nullable()
      .meta({ description: 'Column with the country of the phone numbers.' }),
    mapping: z.record(z.string(), z.string()).nullable(),
    constants: z.record(z.string(), z.string()).nullable(),
    formats: z.record(z.string(), z.string()).meta({ description: 'Chosen formats, by column.' }),
    rows: z.int(),
    done: z.int().meta({ description: 'Number of rows that this run or dry run has processed.' }),
    created: z.int(),
    updated: z.int(),
    refused: z.int(),
    error: z.string().nullable(),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'Import' })
