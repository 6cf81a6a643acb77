import { z } from 'zod'
import type { Issue } from './errors.ts'

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
