import { createHash } from 'node:crypto'

const camelNames = new Map<string, string>()

/** Converts `created_at` to `createdAt`; the only place where SQL's names become TypeScript's. */
export function camelCase(column: string): string {
  let name = camelNames.get(column)
  if (name === undefined) {
    name = column.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
    camelNames.set(column, name)
  }
  return name
}

type RowMaker = (values: unknown[]) => unknown
const rowMakers = new Map<string, RowMaker>()
const MAX_ROW_MAKERS = 5_000

/**
 * Returns a function that converts a row's values to an object. It is compiled for the columns: setting
 * thirty names one by one takes a tenth of a millisecond for fifty rows, an object literal a third of that.
 */
export function rowMakerOf(fields: readonly { name: string }[]): RowMaker {
  let columns = ''
  for (const { name } of fields) columns += `${name},`
  const cached = rowMakers.get(columns)
  if (cached) return cached
  const properties = fields.map(({ name }, i) => `${JSON.stringify(camelCase(name))}: values[${i}]`)
  // Only quoted column names become code.
  // oxlint-disable-next-line typescript/no-implied-eval
  const rowMaker = new Function('values', `return {${properties.join()}}`) as RowMaker
  if (rowMakers.size < MAX_ROW_MAKERS) rowMakers.set(columns, rowMaker)
  return rowMaker
}

const statementNames = new Map<string, string>()
const STATEMENT_NAMES_MAX = 5_000

/**
 * Returns a stable name for a statement's text, so that PostgreSQL prepares it once per connection. Texts
 * beyond a limit (lists of varying length) stay unnamed, to save the server's memory.
 */
export function statementName(text: string): string | undefined {
  const cached = statementNames.get(text)
  if (cached !== undefined) return cached
  if (statementNames.size >= STATEMENT_NAMES_MAX) return undefined
  const name = `p_${createHash('sha256').update(text).digest('base64url').slice(0, 24)}`
  statementNames.set(text, name)
  return name
}
