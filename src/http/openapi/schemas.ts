import { z } from 'zod'
import { describeFields } from '../../core/describe-fields.ts'

/** A JSON object in the document. */
export type Part = Record<string, unknown>

/** Converts zod schemas to JSON Schema 2020-12. Each schema with an ID becomes one component. */
export type Schemas = {
  /** Converts a schema of a request. */
  ofRequest(schema: z.ZodType): Part
  /** Converts a schema of a response. */
  ofReply(schema: z.ZodType): Part
  /** Returns the components that the converted schemas refer to, by name. */
  components(): Record<string, Part>
}

/** Creates an empty set of components. Throws if a name has different meanings in requests and responses. */
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

  /**
   * Replies allow unknown fields: new ones may be added within v1, and clients must ignore them (spec 9.2).
   */
  function polish({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: Part }): void {
    if (zodSchema instanceof z.ZodXor && 'discriminator' in jsonSchema)
      addDiscriminator(zodSchema, jsonSchema)
    // A format describes the value better than the pattern that implements it.
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

/**
 * Returns the values of `field` in `schema`, which is an object or an intersection with an object on the
 * left.
 */
const valuesOf = (schema: unknown, field: string): unknown[] => {
  if (schema instanceof z.ZodIntersection) return valuesOf(schema.def.left, field)
  return schema instanceof z.ZodObject ? [...((schema.shape[field] as z.ZodLiteral).values ?? [])] : []
}

/** Converts `discriminator: 'type'` of a union of named shapes to OpenAPI's discriminator. */
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

/** Removes `additionalProperties: false`, because replies may get new fields within v1 (spec 9.2). */
export function opened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(opened)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, inner]) => !(key === 'additionalProperties' && inner === false))
      .map(([key, inner]) => [key, opened(inner)]),
  )
}
