/** Which paths lead somewhere in what a schema describes: `lead.stage.kind` of an event. */
import { z } from 'zod'

const inner = (schema: z.ZodType): z.ZodType => {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return inner(schema.unwrap() as z.ZodType)
  return schema
}

/** The schema at a path; `true` where anything may stand, undefined where nothing does. */
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

/** The names below the beginning of a path that leads somewhere, for who mistyped the rest. */
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

/** What stands at a path of a value; undefined where nothing does. */
export const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (here, name) =>
      here !== null && typeof here === 'object' && Object.hasOwn(here, name)
        ? (here as Record<string, unknown>)[name]
        : undefined,
    value,
  )
