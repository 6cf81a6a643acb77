/** Finds the tables that a statement names, in SQL text or through the query builder. */
import { read } from './source-files.ts'

/** The tables by their name in the query builder, with their columns. */
const columnsByTable = new Map(
  [...read('src/database/sql/tables.ts').matchAll(/^ {2}(\w+): \{\n([^}]*)\}/gm)].map(
    ([, table = '', columns = '']) => [
      table,
      [...columns.matchAll(/^ {4}(\w+):/gm)].map(([, column = '']) => column),
    ],
  ),
)
const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const tableByName = new Map(
  [...columnsByTable.keys()].flatMap((table) => [
    [table, table],
    [snakeCase(table), table],
  ]),
)

/** The names of all tables in SQL. */
export const TABLES = [...columnsByTable.keys()].map(snakeCase)

/** Returns the columns of a table, by its name in SQL or in the query builder, as our code names them. */
export const columnsOf = (table: string): string[] => columnsByTable.get(tableByName.get(table) ?? '') ?? []

const IN_SQL = /\b(?:from|join|update|into|using|only|table)\s+([a-z_]+)\b/gi
const IN_BUILDER = /\b(?:selectFrom|insertInto|updateTable|deleteFrom|\w*[jJ]oin)\(\s*'(\w+)/g

/** Returns the fixed texts below a node: string literals, and the fixed parts of templates. */
export function textsIn(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(textsIn)
  if (typeof node !== 'object' || node === null) return []
  const { type, value } = node as { type?: string; value?: unknown }
  if (type === 'Literal' && typeof value === 'string') return [value]
  if (type === 'TemplateElement') return [(value as { raw: string }).raw]
  return Object.values(node).flatMap(textsIn)
}

/** Returns the tables, by their names in SQL, that SQL in `texts` and calls of the query builder in `source` name. */
export function tablesNamedIn(texts: readonly string[], source: string): Set<string> {
  // A sentence begins with a capital; our statements never do.
  const statements = texts.filter((text) => !/^[A-Z][a-z]/.test(text))
  const inSql = statements.flatMap((text) => [...text.matchAll(IN_SQL)])
  const found = [...inSql, ...source.matchAll(IN_BUILDER)].map((match) => tableByName.get(match[1] ?? ''))
  return new Set(found.filter((table) => table !== undefined).map(snakeCase))
}
