import { z } from 'zod'
import { describeFields } from '../core/describe-fields.ts'

/** A JSON object of the document. */
export type Part = Record<string, unknown>

/** Turns zod schemas into JSON Schema 2020-12; schemas with an id become components, once. */
export type Schemas = {
  /** What a caller sends. */
  ofRequest(schema: z.ZodType): Part
  /** What we answer. */
  ofReply(schema: z.ZodType): Part
  /** The components that the schemas so far refer to, by name. */
  components(): Record<string, Part>
}

/** Opens an empty set of components. A name that means different things to sender and receiver throws. */
export function createSchemas(): Schemas {
  const components = new Map<string, Part>()

  const convert = (schema: z.ZodType, io: 'input' | 'output'): Part => {
    const {
      $schema: _,
      $defs,
      ...root
    } = describeFields(z.toJSONSchema(schema, { io, override: polish }) as Part)
    for (const [name, definition] of Object.entries(($defs ?? {}) as Record<string, Part>)) {
      const { id: __, ...part } = pointAtComponents(definition) as Part
      const known = components.get(name)
      if (known && JSON.stringify(known) !== JSON.stringify(part))
        throw new Error(`two different schemas are called ${name}`)
      components.set(name, part)
    }
    return pointAtComponents(root) as Part
  }

  /** New fields may be added within v1, and consumers must ignore those that they do not know (spec 9.2). */
  function polish({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: Part }): void {
    if (zodSchema instanceof z.ZodXor && 'discriminator' in jsonSchema)
      addDiscriminator(zodSchema, jsonSchema)
    // A format says it better than the pattern that stands behind it.
    if (jsonSchema.format !== undefined || jsonSchema.type === 'integer') delete jsonSchema.pattern
    if (jsonSchema.example !== undefined) {
      jsonSchema.examples = [jsonSchema.example]
      delete jsonSchema.example
    }
  }

  return {
    ofRequest: (schema) => convert(schema, 'input'),
    ofReply: (schema) => opened(convert(schema, 'output')) as Part,
    components: () =>
      Object.fromEntries(
        [...components]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, part]) => [name, opened(part) as Part]),
      ),
  }
}

/** The values of `field` in `schema`, an object or one with more that follows. */
const valuesOf = (schema: unknown, field: string): unknown[] => {
  if (schema instanceof z.ZodIntersection) return valuesOf(schema.def.left, field)
  return schema instanceof z.ZodObject ? [...((schema.shape[field] as z.ZodLiteral).values ?? [])] : []
}

/** Turns `discriminator: 'type'` of a union of named shapes into what OpenAPI has for it. */
function addDiscriminator({ options }: z.ZodXor, jsonSchema: Part): void {
  const propertyName = jsonSchema.discriminator as string
  const named = jsonSchema.oneOf as Part[]
  const mapping = options.flatMap((option, at) =>
    valuesOf(option, propertyName).map((value) => [value, named[at]?.$ref]),
  )
  jsonSchema.discriminator = { propertyName, mapping: Object.fromEntries(mapping) }
}

function pointAtComponents(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pointAtComponents)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      typeof inner === 'string'
        ? inner.replace(/^#\/\$defs\//, '#/components/schemas/')
        : pointAtComponents(inner),
    ]),
  )
}

/** Without `additionalProperties: false`: replies may grow fields within v1 (spec 9.2). */
function opened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(opened)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, inner]) => !(key === 'additionalProperties' && inner === false))
      .map(([key, inner]) => [key, opened(inner)]),
  )
}
