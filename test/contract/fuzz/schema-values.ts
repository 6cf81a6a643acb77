/**
 * Values that match a JSON schema of the OpenAPI document, or almost: they get the fuzzer past the first
 * checks.
 */
import fc from 'fast-check'

// biome-ignore lint/suspicious/noExplicitAny: a schema is walked by its keys
type Schema = any

const DEEPEST = 4

/** Strings for a format or pattern that a random string would never match. */
const OF_FORMAT: Record<string, fc.Arbitrary<string>> = {
  uuid: fc.uuid(),
  'date-time': fc
    .date({ min: new Date('2020-01-01'), max: new Date('2035-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  date: fc.constantFrom('2026-01-31', '2024-02-29', '2026-02-30'),
  email: fc.emailAddress(),
  uri: fc.webUrl({ validSchemes: ['https'] }),
}

const phone = fc.integer({ min: 10_000_000, max: 99_999_999 }).map((tail) => `+9198${tail}`)

function text(schema: Schema): fc.Arbitrary<string> {
  const arbitrary = OF_FORMAT[schema.format]
  if (arbitrary) return arbitrary
  const maxLength = Math.min(schema.maxLength ?? 40, 60)
  const free = fc.string({
    minLength: Math.min(schema.minLength ?? 0, maxLength),
    maxLength,
    unit: 'grapheme',
  })
  if (schema.pattern === undefined) return fc.oneof(free, phone)
  return fc.oneof(fc.stringMatching(new RegExp(schema.pattern)), free)
}

function number(schema: Schema): fc.Arbitrary<number> {
  const min = schema.minimum ?? schema.exclusiveMinimum ?? -1000
  const max = schema.maximum ?? schema.exclusiveMaximum ?? min + 100_000
  const integers = fc.integer({ min: Math.ceil(min), max: Math.max(Math.ceil(min), Math.floor(max)) })
  if (schema.type === 'integer') return integers
  return fc.oneof(integers, fc.double({ min, max: Math.max(min, max), noNaN: true }))
}

/** Generates values of `schema`, whose references are looked up in `document`. */
export function valuesOf(document: Schema, schema: Schema, depth = 0): fc.Arbitrary<unknown> {
  const inner = (nested: Schema) => valuesOf(document, nested, depth + 1)
  if (schema === true || schema === undefined) return fc.jsonValue({ maxDepth: 1 })
  if (schema.$ref) return inner(lookUpSchema(document, schema.$ref))
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return fc.oneof(...choices.map(inner))
  if (schema.allOf) return fc.tuple(...schema.allOf.map(inner)).map((parts) => Object.assign({}, ...parts))
  if (Array.isArray(schema.type))
    return fc.oneof(...schema.type.map((type: string) => inner({ ...schema, type })))
  if (schema.type === 'string') return text(schema)
  if (schema.type === 'number' || schema.type === 'integer') return number(schema)
  if (schema.type === 'boolean') return fc.boolean()
  if (schema.type === 'null') return fc.constant(null)
  if (schema.type === 'array') {
    const maxLength = depth > DEEPEST ? 0 : Math.min(schema.maxItems ?? 3, 3)
    return fc.array(inner(schema.items ?? true), {
      minLength: Math.min(schema.minItems ?? 0, maxLength),
      maxLength,
    })
  }
  if (schema.type === 'object' || schema.properties) return object(schema, inner, depth)
  return fc.jsonValue({ maxDepth: 1 })
}

function object(schema: Schema, inner: (nested: Schema) => fc.Arbitrary<unknown>, depth: number) {
  const required: string[] = schema.required ?? []
  const names = Object.keys(schema.properties ?? {}).filter(
    (name) => depth <= DEEPEST || required.includes(name),
  )
  const fields = fc.record(Object.fromEntries(names.map((name) => [name, inner(schema.properties[name])])), {
    requiredKeys: names.filter((name) => required.includes(name)),
  })
  if (!schema.additionalProperties || depth > DEEPEST) return fields
  const others = fc.dictionary(fc.string({ maxLength: 12 }), inner(schema.additionalProperties), {
    maxKeys: 3,
  })
  return fc.tuple(others, fields).map(([more, named]) => ({ ...more, ...named }))
}

function lookUpSchema(document: Schema, reference: string): Schema {
  return reference
    .slice(2)
    .split('/')
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((place, part) => place[part], document)
}
