/**
 * Adds descriptions to fields that have none at their schema: from their object's `fields`, and from the dictionary of common
 * names.
 */
import { FIELD_DESCRIPTIONS } from './field-words.ts'

/** A JSON Schema. */
type Part = Record<string, unknown>

/** Keys under which a schema contains another schema that is not a field. */
const INSIDE_KEYS = ['anyOf', 'oneOf', 'allOf', 'items', 'additionalProperties'] as const

const isPart = (value: unknown): value is Part =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const schemasInside = (part: Part): Part[] => INSIDE_KEYS.flatMap((name) => part[name]).filter(isPart)

const fieldsOf = (part: Part): [string, Part][] =>
  Object.entries((part.properties ?? {}) as Part).filter((field): field is [string, Part] => isPart(field[1]))

/** Describes the field at `path` (`customer.name`) of `part` and of the schemas inside it, unless it has a description. */
function describeField(part: Part, path: string[], description: string): void {
  const [name, ...rest] = path
  for (const [key, field] of fieldsOf(part)) {
    if (key !== name) continue
    if (rest.length > 0) describeField(field, rest, description)
    else field.description ??= description
  }
  for (const schemaInside of schemasInside(part)) describeField(schemaInside, path, description)
}

/** Whether the field refers to a named shape, alone or nullable: the description of the shape is enough. */
const isNamed = (field: Part): boolean =>
  '$ref' in field || ('anyOf' in field && schemasInside(field).some((schemaInside) => '$ref' in schemaInside))

/** Returns the description of a nullable field's other schema, or of its only allowed value. */
function ownDescription(field: Part): unknown {
  if (field.description !== undefined || '$ref' in field) return field.description
  if ('const' in field) return `Always \`${field.const}\`.`
  if (!('anyOf' in field)) return undefined
  const [schemaInside, ...others] = schemasInside(field).filter(({ type }) => type !== 'null')
  return schemaInside && others.length === 0 ? ownDescription(schemaInside) : undefined
}

/**
 * Moves the descriptions in `fields` of a schema (`.meta({ fields })`) to the fields. Fields without a description get that of
 * their name. Changes `schema` and returns it.
 */
export function describeFields<Schema extends Part>(schema: Schema): Schema {
  const part: Part = schema
  const { fields } = part
  delete part.fields
  for (const [path, description] of Object.entries((fields ?? {}) as Record<string, string>))
    describeField(part, path.split('.'), description)
  for (const schemaInside of [
    ...schemasInside(part),
    ...Object.values((part.$defs ?? {}) as Record<string, Part>),
  ])
    describeFields(schemaInside)
  for (const [name, field] of fieldsOf(part)) {
    describeFields(field)
    const description = ownDescription(field) ?? (isNamed(field) ? undefined : FIELD_DESCRIPTIONS[name])
    if (description !== undefined) field.description = description
  }
  return schema
}
