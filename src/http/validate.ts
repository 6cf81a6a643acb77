import type { z } from 'zod'
import { invalid } from '../core/errors.ts'
import { issuesOf } from '../core/issues.ts'

/** Parses `value`, or refuses with `invalid`, naming every bad field. */
export function validated(schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw invalid(issuesOf(result.error, schema))
}

/** The same for path and query, whose texts may hold NUL, which PostgreSQL cannot: refused by name, as in a body. */
export function validatedAddress(schema: z.ZodType, parts: unknown): unknown {
  const odd = Object.entries(parts ?? {}).filter(([, text]) => [text].flat().join().includes('\0'))
  if (odd.length > 0) throw invalid(odd.map(([path]) => ({ path, message: 'must not contain NUL' })))
  return validated(schema, parts)
}
