import type { z } from 'zod'
import { type Issue, invalid } from '../core/errors.ts'
import { issuesOf } from '../core/issues.ts'

/** What is wrong with a body, field by field; what is no object has no field to name. */
export const bodyIssues = (error: z.ZodError, schema: z.ZodType): Issue[] =>
  issuesOf(error, schema).map(({ path, message }) => ({
    path,
    message: path === '' && message.startsWith('must be ') ? `The body ${message}` : message,
  }))

/** Parses a body, or refuses with `invalid`, naming every bad field. */
export function validated(schema: z.ZodType, body: unknown): unknown {
  const result = schema.safeParse(body)
  if (result.success) return result.data
  throw invalid(bodyIssues(result.error, schema))
}

/** The same for path and query, whose texts may hold NUL, which PostgreSQL cannot: refused by name, as in a body. */
export function validatedAddress(schema: z.ZodType, parts: unknown): unknown {
  const given = (parts ?? {}) as Record<string, string | string[]>
  const odd = Object.entries(given).filter(([, text]) => [text].flat().join().includes('\0'))
  if (odd.length > 0) throw invalid(odd.map(([path]) => ({ path, message: 'must not contain NUL' })))
  const result = schema.safeParse(parts)
  if (result.success) return result.data
  throw invalid(
    issuesOf(result.error, schema).map(({ path, message }) => ({
      path,
      message: Array.isArray(given[path]) ? 'must be given once' : message,
    })),
  )
}
