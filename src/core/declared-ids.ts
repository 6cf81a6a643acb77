/** What a schema declares to be ids of ours, and whether it declares anything else that could be about a person. */
import { z } from 'zod'

/** Where ids of ours are: `{ leadId: true, contact: { id: true }, chats: [{ id: true }] }`, with the shape of its elements for a list. */
export type IdShape = { [key: string]: IdsIn }
type IdsIn = true | IdShape | [IdsIn]

type Described = {
  $ref?: string
  type?: string
  format?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Described[]
  items?: Described
  properties?: Record<string, Described>
  additionalProperties?: unknown
}

/** The schema as JSON Schema, and what its references mean. */
function describe(schema: z.ZodType) {
  const { $defs = {}, ...root } = z.toJSONSchema(schema, { unrepresentable: 'any' }) as Described & {
    $defs?: Record<string, Described>
  }
  const resolve = (node: Described): Described =>
    node.$ref === undefined ? node : resolve($defs[node.$ref.replace('#/$defs/', '')] ?? {})
  return { root, resolve }
}

/** Finds where ids of ours are in what the schema describes. An object without declared fields, such as a form's, has none. */
export function idShapeOf(schema: z.ZodType): IdShape {
  const { root, resolve } = describe(schema)
  const idsIn = (node: Described): IdsIn | undefined => {
    const { format, anyOf = [], items, properties = {} } = resolve(node)
    if (format === 'uuid') return true
    const elements = items === undefined ? undefined : idsIn(items)
    if (elements !== undefined) return [elements]
    const fields = Object.entries(properties).flatMap(([key, field]) => {
      const ids = idsIn(field)
      return ids === undefined ? [] : [[key, ids] as const]
    })
    if (fields.length > 0) return Object.fromEntries(fields)
    // What may be null.
    return anyOf.length === 2 ? anyOf.map(idsIn).find((ids) => ids !== undefined) : undefined
  }
  const ids = idsIn(root)
  return ids === undefined || ids === true || Array.isArray(ids) ? {} : ids
}

const IMPERSONAL_TYPES = new Set(['boolean', 'number', 'integer', 'null'])
const IMPERSONAL_FORMATS = new Set(['uuid', 'date-time'])

/** Whether nothing that the schema describes can be about a person: it is all ids of ours, numbers, truths, times and words of ours. */
export function isImpersonal(schema: z.ZodType): boolean {
  const { root, resolve } = describe(schema)
  const holds = (node: Described): boolean => {
    const {
      type = '',
      format = '',
      const: only,
      enum: words,
      anyOf,
      items,
      properties,
      ...rest
    } = resolve(node)
    if (only !== undefined || words !== undefined) return true
    if (anyOf) return anyOf.every(holds)
    if (type === 'array') return items !== undefined && holds(items)
    if (type === 'object')
      return rest.additionalProperties === false && Object.values(properties ?? {}).every(holds)
    return IMPERSONAL_TYPES.has(type) || IMPERSONAL_FORMATS.has(format)
  }
  return holds(root)
}
