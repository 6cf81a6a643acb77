/**
 * Rewrites the schemas of the document in forms that code generators compile (docs/decisions/openapi-generators.md). Every value
 * that was valid stays valid.
 */
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
  const text = `Default: \`${JSON.stringify(otherwise)}\`.`
  part.description = typeof description === 'string' ? `${description} ${text}` : text
}

/** Removes the rule that the names of fields are texts: every name is. */
function dropNameRule(part: Part): void {
  const { propertyNames } = part
  if (isPart(propertyNames) && Object.keys(propertyNames).join() === 'type') delete part.propertyNames
}

/** Writes the schema of unknown fields as `true`, which more generators read as any value than `{}`. */
function openFields(part: Part): void {
  const { additionalProperties } = part
  if (isPart(additionalProperties) && Object.keys(additionalProperties).length === 0)
    part.additionalProperties = true
}

/** Leaves only the type of a boolean constant: Java code cannot have an enum of booleans. Its description names the value. */
function dropBooleanConstant(part: Part): void {
  if (part.type === 'boolean') delete part.const
}

/**
 * Describes the values of an object without declared fields by a pattern, not by `additionalProperties`. Generators make a map of
 * the latter, and Java code cannot name the class of a map in a union.
 */
function describeByPattern(part: Part): void {
  const { type, properties, additionalProperties } = part
  const hasFields = isPart(properties) && Object.keys(properties).length > 0
  if (type !== 'object' || hasFields || additionalProperties === undefined) return
  delete part.properties
  delete part.additionalProperties
  part.patternProperties = { '.*': additionalProperties }
}

function describeMapsInUnion({ anyOf }: Part): void {
  if (Array.isArray(anyOf)) for (const option of anyOf as Part[]) describeByPattern(option)
}

/**
 * Merges an object and two objects of which one is required (`allOf` of an object and `anyOf` of two): the fields of both are
 * optional, and a condition requires one of them.
 */
function mergeAlternatives(part: Part): void {
  const { allOf, ...rest } = part
  if (!Array.isArray(allOf) || allOf.length !== 2) return
  const [base, choice] = allOf as [Part, Part]
  const alternatives = choice.anyOf as Part[] | undefined
  if (!isPart(base.properties) || alternatives?.length !== 2) return
  const [first, second] = alternatives as [Part, Part]
  delete part.allOf
  Object.assign(part, base, rest, {
    properties: Object.assign({}, base.properties, first.properties, second.properties),
    // Generators ignore `not`; most of them read a choice of `required` as a type.
    not: { propertyNames: { not: { enum: alternatives.flatMap(({ required }) => required) } } },
  })
}

/** Rewrites a schema and the schemas inside it, in place. */
export const shapeForGenerators = (schema: Part): void =>
  visitSchemas(schema, (part) => {
    mergeAlternatives(part)
    enumerate(part)
    makeNullable(part)
    describeDefault(part)
    dropNameRule(part)
    openFields(part)
    dropBooleanConstant(part)
    describeMapsInUnion(part)
  })

/** Rewrites a component, which can be an option of a union. */
export function shapeComponent(schema: Part): void {
  shapeForGenerators(schema)
  describeByPattern(schema)
}
