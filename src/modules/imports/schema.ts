import { z } from 'zod'
import { Id } from '../../core/ids.ts'
import { Instant } from '../../core/text.ts'
import { ATTRIBUTES_MAX, characters, writtenText } from '../contacts/schema.ts'

const IMPORT_KINDS = ['contacts', 'leads'] as const
export type ImportKind = (typeof IMPORT_KINDS)[number]

const IMPORT_STATES = ['ready', 'checking', 'checked', 'running', 'done', 'failed'] as const
export type ImportState = (typeof IMPORT_STATES)[number]

export const MAX_ROWS = 50_000
export const MAX_COLUMNS = 200
export const SAMPLE_ROWS = 5

/** What a column can be of a contact, of a lead, and of either. */
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
/** Halves of a name, put together where no column has all of it. */
const NAME_PARTS = ['firstName', 'lastName'] as const
export const FIELDS_OF = {
  contacts: [...CONTACT_FIELDS, ...NAME_PARTS],
  leads: [...LEAD_FIELDS, ...NAME_PARTS],
} as const satisfies Record<ImportKind, readonly string[]>

/** A custom field is `attributes.` and its name. */
export const ATTRIBUTE = 'attributes.'

const Column = characters(100, 1)
const Target = characters(ATTRIBUTE.length + 100, 1)

/** Fields by column; columns that are not named are left out. */
const Mapping = z
  .record(Column, Target)
  .refine(
    (mapping) => Object.keys(mapping).length <= MAX_COLUMNS && Object.keys(mapping).length > 0,
    `must name 1 to ${MAX_COLUMNS} columns`,
  )
export type Mapping = z.output<typeof Mapping>

/** Texts that hold for every row, by field; tags go with those of the row. */
const Constants = z
  .record(Target, writtenText(5_000))
  .refine(
    (constants) => Object.keys(constants).length <= ATTRIBUTES_MAX,
    `must name at most ${ATTRIBUTES_MAX}`,
  )

/** Body of `POST /imports`. */
export const NewImport = z.strictObject({
  fileBase64: z.string('must be the file in base64').meta({
    description: 'A CSV file in UTF-8, in base64; up to 16 MB of file. Its first line names the columns.',
  }),
  filename: writtenText(200),
})
export type NewImport = z.output<typeof NewImport>

/** Body of `PATCH /imports/{id}`. */
export const StartImport = z.strictObject({
  kind: z.enum(IMPORT_KINDS),
  mapping: Mapping.meta({ example: { Mobile: 'phone', City: 'attributes.city' } }),
  constants: Constants.default({}).meta({ example: { tags: 'expo' } }),
  dryRun: z.boolean().default(false).meta({ description: 'Say what would come of it, and write nothing.' }),
})
export type StartImport = z.output<typeof StartImport>

/** An import as replies carry it. */
export const Import = z
  .object({
    id: Id,
    filename: z.string(),
    state: z.enum(IMPORT_STATES).meta({
      description:
        'ready: to be mapped; checking, checked: a dry run; running, done: taken in; failed: it stopped, and `error` says why.',
    }),
    kind: z.enum(IMPORT_KINDS).nullable(),
    columns: z.array(z.string()),
    sample: z
      .array(z.record(z.string(), z.string()))
      .meta({ description: 'The first rows that are still here.' }),
    guess: z.object({ contacts: Mapping.or(z.object({})), leads: Mapping.or(z.object({})) }).meta({
      description: 'What the columns seem to be, by kind.',
    }),
    mapping: z.record(z.string(), z.string()).nullable(),
    constants: z.record(z.string(), z.string()).nullable(),
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
