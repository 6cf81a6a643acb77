import { z } from 'zod'
import type { Issue } from './errors.ts'

const KINDS: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

/** What is wrong, in the words of the house, where a schema has none of its own; undefined leaves the library's. */
function plainWords(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type') {
    const kind = KINDS[issue.expected]
    if (issue.input === undefined) return 'is required'
    return kind && `must be ${kind}`
  }
  if (issue.code === 'invalid_value') {
    const needed = issue.input === undefined ? 'is required: ' : 'must be '
    return `${needed}${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}`
  }
  if (issue.code === 'invalid_format' && issue.format === 'uuid') return 'must be an id (a UUID)'
  return undefined
}
z.config({ customError: plainWords })

/** `['tags', 3]` -> `tags[3]`. */
const pathText = (path: PropertyKey[]): string =>
  path.reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[${part}]` : text ? `${text}.${String(part)}` : String(part),
    '',
  )

const knownFields = (schema: z.ZodType): string =>
  schema instanceof z.ZodObject ? `; the fields are ${Object.keys(schema.shape).join(', ')}` : ''

/** What is wrong with a value that `schema` refused, field by field. */
export function issuesOf(error: z.ZodError, schema: z.ZodType): Issue[] {
  return error.issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({
        path: pathText([...issue.path, key]),
        message: `is not a field of this request${issue.path.length === 0 ? knownFields(schema) : ''}`,
      }))
    return [{ path: pathText(issue.path), message: issue.message }]
  })
}
