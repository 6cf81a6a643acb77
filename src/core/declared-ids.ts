/** Finds the fields that a schema declares as our ids, and whether it declares any field that could contain personal data. */
import { z } from 'zod'

/**
 * Positions of our ids: `{ leadId: true, contact: { id: true }, chats: [{ id: true }] }`; a list has the shape of its elements.
 */
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

/** Returns the schema as JSON Schema, with the targets of its references. */
function describe(schema: z.ZodType) {
  const { $defs = {}, ...root } = z.toJSONSchema(schema, { unrepresentable: 'any' }) as Described & {
    $defs?: Record<string, Described>
  }
  const resolve = (node: Described): Described =>
    node.$ref === undefined ? node : resolve($defs[node.$ref.replace('#/$defs/', '')] ?? {})
  return { root, resolve }
}

/** Returns the positions of our ids in the schema. An object without declared fields, such as a form's answers, has none. */
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
    // A nullable schema.
    return anyOf.length === 2 ? anyOf.map(idsIn).find((ids) => ids !== undefined) : undefined
  }
  const ids = idsIn(root)
  return ids === undefined || ids === true || Array.isArray(ids) ? {} : ids
}

const IMPERSONAL_TYPES = new Set(['boolean', 'number', 'integer', 'null'])
const IMPERSONAL_FORMATS = new Set(['uuid', 'date-time'])

/**
 * Whether the schema declares no field that could be about a person: only our ids, numbers, booleans, times, and our own words.
 */
export function isImpersonal(schema: z.ZodType): boolean {
  const { root, resolve } = describe(schema)
  const isImpersonalNode = (node: Described): boolean => {
    const {
      type = '',
      format = '',
      const: constant,
      enum: enumValues,
      anyOf,
      items,
      properties,
      ...rest
    } = resolve(node)
    if (constant !== undefined || enumValues !== undefined) return true
    if (anyOf) return anyOf.every(isImpersonalNode)
    if (type === 'array') return items !== undefined && isImpersonalNode(items)
    if (type === 'object')
      return rest.additionalProperties === false && Object.values(properties ?? {}).every(isImpersonalNode)
    return IMPERSONAL_TYPES.has(type) || IMPERSONAL_FORMATS.has(format)
  }
  return isImpersonalNode(root)
}
