/** Converts zod schemas to JSON Schemas that need no other document. */
import { z } from 'zod'
import { dropComponent } from '../../core/component.ts'
import { describeFields } from '../../core/describe-fields.ts'

/** A JSON Schema, or another JSON object. */
export type Part = Record<string, unknown>

export const isPart = (value: unknown): value is Part =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Keys that only the API's document needs. Examples would make the list of tools twice as long. */
const DROPPED_KEYS = ['discriminator', 'example', 'examples', 'id', '$schema']

function trim({ jsonSchema }: { jsonSchema: object }): void {
  const part = jsonSchema as Part
  dropComponent({ jsonSchema })
  for (const key of DROPPED_KEYS) delete part[key]
  // A format describes the value better than the pattern that implements it.
  if (part.format !== undefined || part.type === 'integer') delete part.pattern
}

/** Returns the JSON Schema of the values that a request sends (`input`) or a reply returns (`output`). */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): Part {
  const { $schema: _, ...part } = describeFields(z.toJSONSchema(schema, { io, override: trim }) as Part)
  return part
}

const REFERENCE = '#/$defs/'

/** Returns the shape that a reference leads to, or the shape itself. */
export function resolved(part: Part, definitions: Part): Part {
  const { $ref } = part
  if (typeof $ref !== 'string') return part
  return resolved(definitions[$ref.slice(REFERENCE.length)] as Part, definitions)
}
