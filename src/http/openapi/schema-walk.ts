import type { Part } from './schemas.ts'

/** Keys of a schema whose values are no schemas. */
const OTHER_KEYS = [
  'component',
  'const',
  'default',
  'description',
  'discriminator',
  'enum',
  'example',
  'examples',
  'required',
  'type',
]

export const isPart = (value: unknown): value is Part =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the schemas directly inside a schema: of its fields, items, and options. */
export const innerSchemas = (schema: Part): Part[] =>
  Object.entries(schema).flatMap(([key, inner]) => {
    if (OTHER_KEYS.includes(key)) return []
    if (key === 'properties') return Object.values(inner as Part).filter(isPart)
    return [inner].flat().filter(isPart)
  })

/** Calls `visit` with the schema and each schema inside it, the innermost first. */
export function visitSchemas(schema: Part, visit: (part: Part) => void): void {
  for (const inner of innerSchemas(schema)) visitSchemas(inner, visit)
  visit(schema)
}
