/** Finds where a database contains a text, in any table: for texts that no table may contain. */
import type { Tx } from '../../src/core/context.ts'

type Platform = { system<T>(work: (tx: Tx) => Promise<T>): Promise<T> }
type Column = { schema: string; table: string; column: string; type: string }

/** A column, by its names. */
export type Place = { needle: string; place: string }

// Every schema except PostgreSQL's own: its catalogs contain samples of values for the planner
// (pg_statistic).
const COLUMNS = `
select c.table_schema::text as schema, c.table_name::text as "table", c.column_name::text as "column", c.udt_name::text as type
from information_schema.columns c
join information_schema.tables t using (table_schema, table_name)
where t.table_type = 'BASE TABLE' and c.table_schema not in ('pg_catalog', 'information_schema')
  -- Partitions are searched through their table.
  and not exists (select from pg_class p join pg_namespace n on n.oid = p.relnamespace
    where n.nspname = c.table_schema and p.relname = c.table_name and p.relispartition)
order by 1, 2, c.ordinal_position`

/** Types that can't contain text. */
const WITHOUT_TEXT = new Set([
  'bool',
  'int2',
  'int4',
  'int8',
  'float4',
  'float8',
  'timestamptz',
  'uuid',
  '_uuid',
  'xid8',
])

const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`
const asText = ({ column, type }: Column): string =>
  type === 'bytea' ? `encode(${quoteName(column)}, 'escape')` : `${quoteName(column)}::text`

/** Searches each column of one table for each needle. */
function searchOf(columns: Column[]): string {
  const { schema, table } = columns[0]!
  const values = columns.map((column) => `('${column.column}', ${asText(column)})`).join(', ')
  return `select distinct needle, '${schema}.${table}.' || c.name as place
    from ${quoteName(schema)}.${quoteName(table)} cross join lateral (values ${values}) c (name, content)
    join unnest($1::text[]) needle on strpos(lower(c.content), needle) > 0`
}

/** Cached per database, because a test may create its own tables. */
const statements = new WeakMap<Platform, string>()

async function statementOf(tx: Tx): Promise<string> {
  const columns = (await tx.sql<Column>(COLUMNS)).filter(({ type }) => !WITHOUT_TEXT.has(type))
  const tables = Map.groupBy(columns, ({ schema, table }) => `${schema}.${table}`)
  return [...tables.values()].map(searchOf).join(' union all ')
}

/** Returns all places of the needles (in lower case) in the whole database. Case is ignored. */
export function findEverywhere(platform: Platform, needles: string[]): Promise<Place[]> {
  return platform.system(async (tx) => {
    const statement = statements.get(platform) ?? (await statementOf(tx))
    statements.set(platform, statement)
    // JIT compilation of thousands of small queries takes far longer than running them.
    await tx.sql('set local jit = off')
    return tx.sql<Place>(statement, [needles])
  })
}
