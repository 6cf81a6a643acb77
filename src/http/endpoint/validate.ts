import { z } from 'zod'
import { type Issue, invalid } from '../../core/errors.ts'
import { issuesOf } from '../../core/issues.ts'
import { nearNames } from '../../core/values/near-names.ts'

/** Maximum of unknown query parameters in the answer: a URL can contain thousands. */
const MAX_NAMED = 20

/** Returns the issues of a body by field. If the body isn't an object, the issue names the body. */
export const bodyIssues = (error: z.ZodError, schema: z.ZodType): Issue[] =>
  issuesOf(error, schema).map(({ path, message }) => ({
    path,
    message: path === '' ? message.replace(/^Must be /, 'The body must be ') : message,
  }))

/** Validates a body, or refuses with `invalid`, naming every bad field. */
export function validated(schema: z.ZodType, body: unknown): unknown {
  const result = schema.safeParse(body)
  if (result.success) return result.data
  throw invalid(bodyIssues(result.error, schema))
}

/** Returns the field names of an object schema, also one with further checks or transforms. */
export function fieldNames(schema: z.ZodType): string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape)
  if (schema instanceof z.ZodPipe) return fieldNames(schema.in as z.ZodType)
  throw new Error('The fields of this schema have no names: declare query parameters as an object.')
}

const named = new WeakMap<z.ZodType, ReadonlySet<string>>()
function knownNames(schema: z.ZodType): ReadonlySet<string> {
  const names = named.get(schema) ?? new Set(fieldNames(schema))
  named.set(schema, names)
  return names
}

/** Without this refusal, a mistyped filter would return all rows, and the caller wouldn't notice. */
function unknownParameter(path: string, known: ReadonlySet<string>): Issue {
  const [near] = nearNames(path, known, () => false)
  const hint = near
    ? ` Did you mean ${near}?`
    : known.size > 0
      ? ` Known parameters: ${[...known].join(', ')}.`
      : ' This endpoint has none.'
  return { path, message: `Unknown query parameter.${hint}` }
}

/** Validates a query; refuses undeclared parameters by name. */
export function validatedQuery(schema: z.ZodType, query: unknown): unknown {
  const known = knownNames(schema)
  const unknown = Object.keys((query ?? {}) as object).filter((name) => !known.has(name))
  if (unknown.length > 0)
    throw invalid(unknown.slice(0, MAX_NAMED).map((name) => unknownParameter(name, known)))
  return validatedAddress(schema, query)
}

/**
 * Validates path or query. Their texts may contain NUL, which PostgreSQL can't store: refused by name, as in
 * a body.
 */
export function validatedAddress(schema: z.ZodType, parts: unknown): unknown {
  const fields = (parts ?? {}) as Record<string, string | string[]>
  const odd = Object.entries(fields).filter(([, text]) => [text].flat().join().includes('\0'))
  if (odd.length > 0) throw invalid(odd.map(([path]) => ({ path, message: 'Must not contain NUL.' })))
  const result = schema.safeParse(parts)
  if (result.success) return result.data
  throw invalid(
    issuesOf(result.error, schema).map(({ path, message }) => ({
      path,
      message: Array.isArray(fields[path]) ? 'Must be sent once.' : message,
    })),
  )
}
