/** Finds the paths that exist in a schema, such as `lead.stage.kind` of an event. */
import { z } from 'zod'

const inner = (schema: z.ZodType): z.ZodType => {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return inner(schema.unwrap() as z.ZodType)
  return schema
}

/**
 * Returns the schema at a path; `true` if any value is allowed there, undefined if the path does not exist.
 */
function schemaAt(schema: z.ZodType, path: readonly string[]): z.ZodType | true | undefined {
  const current = inner(schema)
  const [first, ...rest] = path
  if (first === undefined) return current
  if (current instanceof z.ZodObject) {
    const next: unknown = Object.hasOwn(current.shape, first) ? current.shape[first] : undefined
    return next instanceof z.ZodType ? schemaAt(next, rest) : undefined
  }
  if (current instanceof z.ZodUnion) {
    const schemas = (current.options as z.ZodType[]).flatMap((option) => schemaAt(option, path) ?? [])
    return schemas.length > 0 ? (schemas.length === 1 ? schemas[0] : true) : undefined
  }
  if (current instanceof z.ZodRecord || current instanceof z.ZodUnknown || current instanceof z.ZodAny)
    return true
  return undefined
}

export const knowsPath = (schema: z.ZodType, path: readonly string[]): boolean =>
  schemaAt(schema, path) !== undefined

/** Returns the names below the longest prefix of a path that exists, to suggest instead of a mistyped one. */
export function namesAt(schema: z.ZodType, path: readonly string[]): string[] {
  for (let length = path.length - 1; length >= 0; length--) {
    const parent = schemaAt(schema, path.slice(0, length))
    if (parent === undefined || parent === true) continue
    const object = inner(parent)
    if (object instanceof z.ZodObject)
      return Object.keys(object.shape).map((name) => [...path.slice(0, length), name].join('.'))
  }
  return []
}

/** Returns the value at a path of a value; undefined if there is none. */
export const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (current, name) =>
      current !== null && typeof current === 'object' && Object.hasOwn(current, name)
        ? (current as Record<string, unknown>)[name]
        : undefined,
    value,
  )
