import type pg from 'pg'
import { camelCase } from './rows.ts'

type Column = { table: string; column: string; type: string; nullable: boolean; defaulted: boolean }

const TYPES: Record<string, string> = {
  uuid: 'string',
  text: 'string',
  tsvector: 'string',
  bool: 'boolean',
  int4: 'number',
  int8: 'number',
  xid8: 'string',
  numeric: 'number',
  timestamptz: 'Date',
  _timestamptz: 'Date[]',
  json: 'JsonColumn',
  jsonb: 'JsonColumn',
  bytea: 'Buffer',
  _bytea: 'Buffer[]',
  _text: 'string[]',
  _uuid: 'string[]',
}

function typeOf(column: Column): string {
  const base = TYPES[column.type]
  if (!base)
    throw new Error(`no TypeScript type is declared for ${column.type} (${column.table}.${column.column})`)
  if (base === 'JsonColumn' && column.defaulted && !column.nullable) return 'DefaultedJsonColumn'
  const type = column.nullable ? `${base} | null` : base
  return column.defaulted ? `Generated<${type}>` : type
}

/**
 * Generates src/database/sql/tables.ts from the migrated database: one type for each table, for the query builder.
 */
export async function generateTableTypes(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<Column>(`
    select c.table_name as table, c.column_name as column, c.udt_name as type,
           c.is_nullable = 'YES' as nullable, c.column_default is not null as defaulted
    from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = current_schema() and t.table_type = 'BASE TABLE' and c.table_name <> 'schema_migrations'
      and not exists (select from pg_inherits where inhrelid = c.table_name::regclass)
    order by c.table_name, c.ordinal_position`)
  const tables = new Map<string, Column[]>()
  for (const row of rows) tables.set(row.table, [...(tables.get(row.table) ?? []), row])
  const lines = [
    '// Generated from the migrations by `parley reference`; do not edit.',
    "import type { ColumnType, Generated } from 'kysely'",
    '',
    '/** A json or jsonb column: read as a value, written as JSON text. */',
    'export type JsonColumn = ColumnType<unknown, string, string>',
    '/** The same with a default. `Generated` would not read it as a value. */',
    'export type DefaultedJsonColumn = ColumnType<unknown, string | undefined, string>',
    '',
    'export type Tables = {',
  ]
  for (const [table, columns] of tables) {
    lines.push(`  ${camelCase(table)}: {`)
    for (const column of columns) lines.push(`    ${camelCase(column.column)}: ${typeOf(column)}`)
    lines.push('  }')
  }
  lines.push('}', '')
  return lines.join('\n')
}
