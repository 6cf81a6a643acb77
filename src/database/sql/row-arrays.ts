/** Sends rows of a table as one array for each column, which PostgreSQL reads more cheaply than JSON records. */
import { instants, jsons, jsonTexts, texts, uuids } from './binary-arrays.ts'
import { plainList } from './sql.ts'

type Value = string | number | boolean | Date | readonly string[] | null | undefined
/** How the values of a column are sent, and their type in the statement. */
type ColumnEncoding = { array: string; write(values: unknown[]): unknown }

const quoted = (text: string): string => `"${text.replaceAll(/[\\"]/g, '\\$&')}"`
const listText = (list: string[]): string => (list.length === 0 ? '{}' : `{${list.map(quoted).join(',')}}`)

const ENCODINGS: Record<string, ColumnEncoding> = {
  uuid: { array: 'uuid[]', write: (values) => uuids(values as (string | null)[]) },
  text: { array: 'text[]', write: (values) => texts(values as (string | null)[]) },
  timestamptz: { array: 'timestamptz[]', write: (values) => instants(values as (Date | null)[]) },
  jsonb: { array: 'jsonb[]', write: (values) => jsons(values.map((value) => JSON.stringify(value))) },
  json: { array: 'json[]', write: (values) => jsonTexts(values.map((value) => JSON.stringify(value))) },
  // Lists inside the list are sent as text.
  'text[]': { array: 'text[]', write: (values) => texts((values as string[][]).map(listText)) },
}
const plainEncoding = (type: string): ColumnEncoding => ({
  array: `${type}[]`,
  write: (values) => plainList(values as (number | boolean | null)[]),
})

const propertyOf = (column: string): string =>
  column.replaceAll(/_(\w)/g, (_, letter) => letter.toUpperCase())

/**
 * Returns the parts of a statement that writes rows with these columns (name to type): the columns; `rows`, to follow `from`,
 * whose parameters are `arraysOf` the rows; and the columns that an upsert updates: all except `fixed`. A column's value is the
 * row's property of the same name.
 */
export function rowArrays<Row extends object>(columnTypes: Record<string, string>, fixed: readonly string[]) {
  const columns = Object.entries(columnTypes).map(([name, type]) => ({
    name,
    property: propertyOf(name),
    ...(ENCODINGS[type] ?? plainEncoding(type)),
    read: type === 'text[]' ? `${name}::text[]` : name,
  }))
  const names = columns.map(({ name }) => name)
  const unnested = columns.map(({ array }, i) => `$${i + 1}::${array}`).join(', ')
  return {
    columns: names.join(', '),
    rows: `(select ${columns.map(({ read }) => read).join(', ')} from unnest(${unnested}) as n (${names.join(', ')})) r`,
    writtenBack: names
      .filter((name) => !fixed.includes(name))
      .map((name) => `${name} = excluded.${name}`)
      .join(', '),
    arraysOf: (rows: readonly Row[]): unknown[] =>
      columns.map(({ property, write }) =>
        write(rows.map((row) => (row as Record<string, Value>)[property])),
      ),
  }
}
