/** Schemas of a workspace's contact settings: tags and custom fields (spec 4.10). */
import { z } from 'zod'
import { Instant } from '../../../core/values/text.ts'
import type { ContactFieldRow } from './queries/fields.ts'
import type { TagRow } from './queries/tags.ts'
import { AttributeName, characters, TagName } from './schema.ts'

const Color = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, 'Must be a color, such as #1f9d55.')
  .transform((color) => color.toLowerCase())

export const NewTag = z
  .strictObject({ name: TagName, color: Color.nullable().optional() })
  .meta({ fields: { name: 'Name of the tag.' } })
export type NewTag = z.output<typeof NewTag>

export const TagPatch = NewTag.partial().meta({ fields: { name: 'Name of the tag.' } })
export type TagPatch = z.output<typeof TagPatch>

/** A tag in a response. */
export const Tag = z
  .object({
    id: z.string(),
    name: z.string(),
    color: z.string().nullable(),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({
    id: 'Tag',
    description: 'A tag for contacts.',
    fields: { name: 'Name of the tag.', color: 'Color as a hex code, such as `#1f9d55`; null for none.' },
  })

export const presentTag = (tag: TagRow): z.input<typeof Tag> => ({
  id: tag.id,
  name: tag.name,
  color: tag.color,
  createdAt: tag.createdAt.toISOString(),
  updatedAt: tag.updatedAt.toISOString(),
})

const FIELD_TYPES = ['text', 'number', 'date', 'boolean', 'select'] as const
export type FieldType = (typeof FIELD_TYPES)[number]
const OPTIONS_MAX = 200

const Options = z
  .array(characters(100, 1))
  .min(1, 'Must have at least one option.')
  .max(OPTIONS_MAX, `Must have at most ${OPTIONS_MAX} options.`)
  .refine((options) => new Set(options).size === options.length, 'Must have each option once.')

const CONTACT_FIELD_FIELDS = {
  label: 'Name that people see.',
  type: 'Kind of value.',
  options: 'Values to choose from; only for the type `select`.',
}

/** Body of `POST /contact-fields`. Only a select has `options`. */
export const NewContactField = z
  .strictObject({
    key: AttributeName.meta({ description: 'Key in `attributes`.' }),
    label: characters(100, 1).optional().meta({ description: 'Label that people see. Default: the key.' }),
    type: z.enum(FIELD_TYPES),
    options: Options.optional().meta({ description: 'Values to choose from; only for the type `select`.' }),
  })
  .refine(({ type, options }) => type !== 'select' || options !== undefined, {
    path: ['options'],
    error: 'Required for type select.',
  })
  .refine(({ type, options }) => type === 'select' || options === undefined, {
    path: ['options'],
    error: 'Must be left out unless type is select.',
  })
  .meta({ fields: CONTACT_FIELD_FIELDS })
export type NewContactField = z.output<typeof NewContactField>

/** Key and type can't change, because values are stored under them. */
export const ContactFieldPatch = z
  .strictObject({
    label: characters(100, 1).optional(),
    options: Options.optional(),
  })
  .meta({ fields: CONTACT_FIELD_FIELDS })
export type ContactFieldPatch = z.output<typeof ContactFieldPatch>

/** A declared custom field in a response. */
export const ContactField = z
  .object({
    id: z.string(),
    key: z.string(),
    label: z.string(),
    type: z.enum(FIELD_TYPES),
    options: z.array(z.string()).nullable(),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({
    id: 'ContactField',
    description: 'A custom field of contacts.',
    fields: { ...CONTACT_FIELD_FIELDS, key: 'Name of the field in `attributes`.' },
  })

export const presentContactField = (field: ContactFieldRow): z.input<typeof ContactField> => ({
  id: field.id,
  key: field.key,
  label: field.label,
  type: field.type,
  options: field.options,
  createdAt: field.createdAt.toISOString(),
  updatedAt: field.updatedAt.toISOString(),
})
