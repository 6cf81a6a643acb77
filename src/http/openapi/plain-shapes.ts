/** Rewrites JSON Schemas in the forms that code generators read best. The same values stay valid. */
import { isPart, visitSchemas } from './schema-walk.ts'
import type { Part } from './schemas.ts'

const SCALARS = ['string', 'boolean', 'integer']

const typeOf = (value: unknown): string => (Number.isInteger(value) ? 'integer' : typeof value)

/** Turns a choice of constants into an enum. */
function enumerate(part: Part): void {
  const { anyOf, ...rest } = part
  if (!Array.isArray(anyOf) || !anyOf.every((option) => isPart(option) && 'const' in option)) return
  const values = anyOf.map((option) => (option as Part).const)
  const [type, ...others] = new Set(values.map(typeOf))
  if (type === undefined || others.length > 0 || !SCALARS.includes(type)) return
  delete part.anyOf
  Object.assign(part, { type, enum: values }, rest)
}

/** Turns the choice of one plain schema or null into a nullable type. Enums and references stay a choice. */
function makeNullable(part: Part): void {
  const { anyOf, ...rest } = part
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return
  const [schema, otherwise] = anyOf as [Part, Part]
  const isNull = otherwise.type === 'null' && Object.keys(otherwise).length === 1
  if (!isNull || typeof schema.type !== 'string') return
  if ('enum' in schema || 'const' in schema || 'component' in schema) return
  delete part.anyOf
  Object.assign(part, schema, rest, { type: [schema.type, 'null'] })
}

/** Describes a default that is an object, because generated Go code cannot contain it. */
function describeDefault(part: Part): void {
  const { default: otherwise, description } = part
  if (!isPart(otherwise)) return
  delete part.default
  part.description = [description, `Default: \`${JSON.stringify(otherwise)}\`.`]
    .filter((text) => text !== undefined)
    .join(' ')
}

/** Gives the schema enums for choices of constants, nullable types, and no default objects. Changes and returns it. */
export function simplifyShape(schema: Part): Part {
  visitSchemas(schema, (part) => {
    enumerate(part)
    makeNullable(part)
    describeDefault(part)
  })
  return schema
}
