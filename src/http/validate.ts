import { z } from 'zod'
import { type Issue, invalid } from '../core/errors.ts'

/** `['tags', 3]` -> `tags[3]`. */
const pathText = (path: PropertyKey[]): string =>
  path.reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[${part}]` : text ? `${text}.${String(part)}` : String(part),
    '',
  )

const knownFields = (schema: z.ZodType): string =>
  schema instanceof z.ZodObject ? `; the fields are ${Object.keys(schema.shape).join(', ')}` : ''

function issuesOf(error: z.ZodError, schema: z.ZodType): Issue[] {
  return error.issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({
        path: pathText([...issue.path, key]),
        message: `is not a field of this request${issue.path.length === 0 ? knownFields(schema) : ''}`,
      }))
    return [{ path: pathText(issue.path), message: issue.message }]
  })
}

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
