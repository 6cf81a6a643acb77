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
function at(schema: z.ZodType, path: readonly string[]): z.ZodType | true | undefined {
  const here = inner(schema)
  const [first, ...rest] = path
  if (first === undefined) return here
  if (here instanceof z.ZodObject) {
    const next: unknown = Object.hasOwn(here.shape, first) ? here.shape[first] : undefined
    return next instanceof z.ZodType ? at(next, rest) : undefined
  }
  if (here instanceof z.ZodUnion) {
    const found = (here.options as z.ZodType[]).flatMap((option) => at(option, path) ?? [])
    return found.length > 0 ? (found.length === 1 ? found[0] : true) : undefined
  }
  if (here instanceof z.ZodRecord || here instanceof z.ZodUnknown || here instanceof z.ZodAny) return true
  return undefined
}

export const knowsPath = (schema: z.ZodType, path: readonly string[]): boolean =>
  at(schema, path) !== undefined

/** Returns the names below the longest prefix of a path that exists, to suggest instead of a mistyped one. */
export function namesAt(schema: z.ZodType, path: readonly string[]): string[] {
  for (let length = path.length - 1; length >= 0; length--) {
    const here = at(schema, path.slice(0, length))
    if (here === undefined || here === true) continue
    const object = inner(here)
    if (object instanceof z.ZodObject)
      return Object.keys(object.shape).map((name) => [...path.slice(0, length), name].join('.'))
  }
  return []
}

/** Returns the value at a path of a value; undefined if there is none. */
export const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (here, name) =>
      here !== null && typeof here === 'object' && Object.hasOwn(here, name)
        ? (here as Record<string, unknown>)[name]
        : undefined,
    value,
  )
