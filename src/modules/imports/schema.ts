import { z } from 'zod'
import { Id } from '../../core/ids.ts'
import { Instant } from '../../core/text.ts'
import { ATTRIBUTES_MAX, characters, writtenText } from '../contacts/schema.ts'
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
export const CONTACT_FIELDS = ['phone', 'displayName', 'tags', 'optInStatus', 'optInSource'] as const
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
  .record(Target, writtenText(5_000))
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
      'A CSV file, or a vCard file (.vcf) as address books save it, in base64; up to 16 MB of file. One row of a CSV file names the columns, or none.',
  }),
  filename: writtenText(200),
  encoding: EncodingName.optional().meta({
    description: 'How the letters of the file are encoded; found out unless it is said.',
    example: 'windows-1252',
  }),
  delimiter: z.enum(DELIMITERS).optional().meta({ description: 'Parts cells; found out unless it is said.' }),
})
export type NewImport = z.output<typeof NewImport>

const choices = {
  headingLine: z.int().min(0).nullable().optional().meta({
    description:
      'The line of the file that names the columns; null when none does, and all rows are data. As found unless it is said. Columns are called by its cells.',
  }),
  countryColumn: Column.nullable().optional().meta({
    description:
      'The column with the country of numbers without a country code: a calling code, an ISO code or a name. Null for none; as found unless it is said.',
  }),
  formats: Formats.optional().meta({
    description: 'How the numbers or dates of a column are written; by all its values unless it is said.',
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
  dryRun: z.boolean().default(false).meta({ description: 'Say what would come of it, and write nothing.' }),
})
export type StartImport = z.output<typeof StartImport>

/** Body of `POST /imports/{id}/preview`. */
export const PreviewRequest = z.strictObject({
  kind: z.enum(IMPORT_KINDS).default('contacts'),
  mapping: Mapping.or(z.object({})).optional().meta({ description: 'The guess unless it is said.' }),
  constants: Constants.default({}),
  ...choices,
})
export type PreviewRequest = z.output<typeof PreviewRequest>

const Guess = z.object({ contacts: Mapping.or(z.object({})), leads: Mapping.or(z.object({})) }).meta({
  description: 'What the columns seem to be, by kind.',
})
const Sample = z.array(z.record(z.string(), z.string()))
const BASES = ['chosen', 'column', 'file', 'country', 'mixed'] as const satisfies FormatBasis[]

/** Rows as an import would read them. */
export const Preview = z
  .object({
    columns: z.array(z.string()),
    rowCount: z.int().meta({ description: 'Rows of data.' }),
    sample: Sample.meta({ description: 'The first rows that are still here.' }),
    guess: Guess,
    lines: z.array(z.object({ line: z.int(), cells: z.array(z.string()) })).meta({
      description: 'The first rows of the file with their lines, to choose the one that names the columns.',
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
          'How mapped columns of numbers and dates are read, and why: chosen, by the values of the column or of the file, by the country of the workspace, or mixed: the values contradict each other.',
      }),
    rows: z.array(
      z.object({
        line: z.int(),
        phone: z.string().nullable(),
        country: z.string().nullable().meta({ description: 'Of the number; ISO 3166.' }),
        values: z.record(z.string(), z.unknown()).meta({ description: 'By field of ours.' }),
        reason: z
          .string()
          .nullable()
          .meta({ description: 'Why the row would be refused, as far as its cells show.' }),
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
        'ready: to be mapped; checking, checked: a dry run; running, done: taken in; failed: it stopped, and `error` says why.',
    }),
    kind: z.enum(IMPORT_KINDS).nullable(),
    encoding: z
      .string()
      .nullable()
      .meta({ description: 'How the letters of the file were read.', example: 'utf-8' }),
    headingLine: z
      .int()
      .nullable()
      .meta({ description: 'The line that names the columns; null when none does.' }),
    columns: z.array(z.string()),
    sample: Sample.meta({ description: 'The first rows that are still here.' }),
    guess: Guess,
    countryColumn: z.string().nullable().meta({ description: 'The column with the country of the numbers.' }),
    mapping: z.record(z.string(), z.string()).nullable(),
    constants: z.record(z.string(), z.string()).nullable(),
    formats: z.record(z.string(), z.string()).meta({ description: 'Formats that were chosen, by column.' }),
    rows: z.int(),
    done: z.int().meta({ description: 'Rows that this run or dry run has passed.' }),
    created: z.int(),
    updated: z.int(),
    refused: z.int(),
    error: z.string().nullable(),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'Import' })
