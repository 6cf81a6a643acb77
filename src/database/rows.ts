import { createHash } from 'node:crypto'
import type { QueryArrayResult } from 'pg'

const camelNames = new Map<string, string>()

/** `created_at` -> `createdAt`; the one place where SQL's names become TypeScript's. */
export function camelCase(column: string): string {
  let name = camelNames.get(column)
  if (name === undefined) {
    name = column.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
    camelNames.set(column, name)
  }
  return name
}

/** Array rows with their field list -> objects with camelCase names. */
export function toObjects<Row>(result: QueryArrayResult): Row[] {
  const names = result.fields.map((field) => camelCase(field.name))
  return result.rows.map((values: unknown[]) => {
    const row: Record<string, unknown> = {}
    for (let i = 0; i < names.length; i++) row[names[i]!] = values[i]
    return row as Row
  })
}

const statementNames = new Map<string, string>()
const STATEMENT_NAMES_MAX = 5_000

/**
 * A stable name for a statement's text, so that PostgreSQL prepares it once a connection.
 * Texts beyond a bound (lists of varying length) stay unnamed rather than fill the server's memory.
 */
export function statementName(text: string): string | undefined {
  const known = statementNames.get(text)
  if (known !== undefined) return known
  if (statementNames.size >= STATEMENT_NAMES_MAX) return undefined
  const name = `p_${createHash('sha256').update(text).digest('base64url').slice(0, 24)}`
  statementNames.set(text, name)
  return name
}
