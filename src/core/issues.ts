import { z } from 'zod'
import { type Issue, MAX_ISSUES } from './errors.ts'

const KINDS: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

const UNITS: Record<string, string> = { string: 'characters', array: 'items' }

/** Returns `Must have at most 5 items.`, `Must be at least 1.`, or `Must not be empty.` for a minimum of one. */
function formatBound(origin: string, side: 'at least' | 'at most', limit: number | bigint): string {
  const unit = UNITS[origin]
  if (unit === undefined) return `Must be ${side} ${limit}.`
  return side === 'at least' && Number(limit) === 1
    ? 'Must not be empty.'
    : `Must have ${side} ${limit} ${unit}.`
}

function formatChoices(input: unknown, values: readonly unknown[]): string {
  const prefix = input === undefined ? 'Required: ' : 'Must be '
  return `${prefix}${values.length > 1 ? 'one of ' : ''}${values.join(', ')}.`
}

/** Returns our own words for an error of a schema without its own message; undefined keeps the library's words. */
function formatIssue(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type') {
    const kind = KINDS[issue.expected]
    if (issue.input === undefined) return 'Required.'
    return kind && `Must be ${kind}.`
  }
  if (issue.code === 'invalid_value') return formatChoices(issue.input, issue.values)
  // The field that names the kind of an object.
  if (issue.code === 'invalid_union' && issue.discriminator !== undefined && Array.isArray(issue.options))
    return formatChoices((issue.input as Record<string, unknown>)[issue.discriminator], issue.options)
  if (issue.code === 'invalid_format' && issue.format === 'uuid') return 'Must be an id (a UUID).'
  if (issue.code === 'too_small') return formatBound(issue.origin, 'at least', issue.minimum)
  if (issue.code === 'too_big') return formatBound(issue.origin, 'at most', issue.maximum)
  return undefined
}
z.config({ customError: formatIssue })

/** Returns a path as text: `['tags', 3]` is `tags[3]`. */
export const formatPath = (path: PropertyKey[]): string =>
  path.reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[${part}]` : text ? `${text}.${String(part)}` : String(part),
    '',
  )

const knownFields = (schema: z.ZodType): string =>
  schema instanceof z.ZodObject ? ` Known fields: ${Object.keys(schema.shape).join(', ')}.` : ''

/** Returns the errors of a value that `schema` refused, field by field. The same error from several checks is returned once. */
export function issuesOf(error: z.ZodError, schema: z.ZodType): Issue[] {
  const issues = error.issues.slice(0, 2 * MAX_ISSUES).flatMap((issue) => {
    if (issue.code === 'unrecognized_keys')
      return issue.keys.slice(0, MAX_ISSUES).map((key) => ({
        path: formatPath([...issue.path, key]),
        message: `Unknown field.${issue.path.length === 0 ? knownFields(schema) : ''}`,
      }))
    return [{ path: formatPath(issue.path), message: issue.message }]
  })
  const distinct = [
    ...new Map(issues.map((issue) => [JSON.stringify([issue.path, issue.message]), issue])).values(),
  ]
  return distinct.slice(0, MAX_ISSUES)
}
