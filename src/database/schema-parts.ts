/** Lists the parts of the schema created by the migrations, to compare a database with this version. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from '../core/installation-root.ts'
import { embeddedMajorVersion } from './embedded-binaries.ts'
import {
  describeChangedMigrations,
  describeRequiredVersions,
  listMigrations,
  readHistory,
} from './migrate.ts'

/** Definitions by name, such as `column messages.status` and `text not null`. */
export type SchemaParts = Record<string, string>

type Query = <Row>(text: string, parameters?: unknown[]) => Promise<Row[]>

/** Excludes partitions, which change daily, and objects of extensions. */
const OWN_OBJECTS = `c.relnamespace = current_schema()::regnamespace and not c.relispartition and c.relname <> 'schema_migrations'
  and not exists (select from pg_depend e where e.objid = c.oid and e.deptype = 'e')`

const PARTS = `
  select 'column ' || c.relname || '.' || a.attname as part,
         format_type(a.atttypid, a.atttypmod) || case when a.attnotnull then ' not null' else '' end as definition
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped and ${OWN_OBJECTS}
  union all
  select case when i.indisunique then 'unique index ' else 'index ' end || x.relname, pg_get_indexdef(i.indexrelid)
  from pg_class c join pg_index i on i.indrelid = c.oid join pg_class x on x.oid = i.indexrelid
  where i.indisvalid and ${OWN_OBJECTS}
  union all
  select 'constraint ' || c.relname || '.' || k.conname, pg_get_constraintdef(k.oid)
  from pg_class c join pg_constraint k on k.conrelid = c.oid
  -- PostgreSQL 18 lists these too; the column says it.
  where k.contype <> 'n' and ${OWN_OBJECTS}
  union all
  select 'trigger ' || c.relname || '.' || t.tgname, pg_get_triggerdef(t.oid)
  from pg_class c join pg_trigger t on t.tgrelid = c.oid
  where not t.tgisinternal and ${OWN_OBJECTS}
  union all
  select 'policy ' || c.relname || '.' || p.polname, pg_get_expr(p.polqual, p.polrelid)
  from pg_class c join pg_policy p on p.polrelid = c.oid where ${OWN_OBJECTS}
  union all
  select 'function ' || f.proname || '(' || pg_get_function_identity_arguments(f.oid) || ')', md5(f.prosrc)
  from pg_proc f where f.pronamespace = current_schema()::regnamespace
    and not exists (select from pg_depend e where e.objid = f.oid and e.deptype = 'e')
    -- It differs after a move to another server (parley cell move).
    and f.proname <> 'transaction_offset'
    -- Citus has functions that take the row of a table on its coordinator only.
    and not exists (select from unnest(f.proargtypes) t join pg_type y on y.oid = t where y.typtype = 'c')`

/** A row policy as PostgreSQL prints it. */
const POLICY = 'COALESCE((\\1 = ANY (( SELECT tenant_workspaces() AS tenant_workspaces)::uuid[])), false)'

/** The parts of a migrated cell. Definitions are without the schemas of the cell and of extensions. */
const PLAIN_PARTS = `
  select part,
         -- The policies of a distributed cell have no subquery (migrations/0074_transaction_numbers.sql).
         regexp_replace(
           replace(replace(replace(coalesce(definition, ''),
             ' ON ' || cell || '.', ' ON '), ' ON ONLY ' || cell || '.', ' ON ONLY '),
             ' ' || extensions || '.gin_trgm_ops', ' gin_trgm_ops'),
           '^is_tenant_workspace\\((\\w+)\\)$', '${POLICY}') as definition
  from (${PARTS}) parts cross join (
    select quote_ident(current_schema()) as cell, extnamespace::regnamespace::text as extensions
    from pg_extension where extname = 'pg_trgm') schemas`

/** Reads the parts of a migrated cell, sorted by name. */
export async function readSchemaParts(query: Query): Promise<SchemaParts> {
  const rows = await query<{ part: string; definition: string }>(PLAIN_PARTS)
  const parts = rows.map(({ part, definition }) => [part, definition] as const)
  return Object.fromEntries(parts.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** The parts created by this version's migrations, as written by `parley reference`. */
const EXPECTED = join(ROOT, 'src/database/expected-schema.json')

/**
 * Compares in the database, because reading thousands of rows to find no difference takes this process longer than the rest of
 * the check. Other major versions of PostgreSQL print expressions differently: for them, only columns and functions are compared,
 * and the names of all others.
 */
const DIFFERENCES = `
  with compared as materialized (
    select part, case when is_same_version or part ~ '^(column|function) ' then definition end as definition, is_expected
    from (select key as part, value as definition, true as is_expected from json_each_text($1::json)
          union all select part, definition, false from (${PLAIN_PARTS}) actual) parts
    cross join (select current_setting('server_version_num')::int / 10000 = $2::int as is_same_version) server
  ), different as (
    -- Not a join: the planner expects few parts, and would compare each part with all others.
    select part, definition from compared where is_expected
    except select part, definition from compared where not is_expected
  )
  select part, not exists (select from compared where not is_expected and compared.part = different.part) as "isMissing"
  from different order by part collate "C"`

/** `isHarmless`: slower, but correct. */
export type SchemaDifference = { text: string; isHarmless: boolean }

/** Advice for a database whose tables differ from those that this version's code needs. */
export const SCHEMA_ADVICE =
  'The migrations that created these tables were different. Restore a backup into a new database, or change the tables by hand'

/** Returns the first migration with every name of the part: it contains the definition. */
function fileOf(part: string, migrations: { name: string; sql: string }[]): string | undefined {
  const names = part.replace(/\(.*/, '').split(' ').at(-1)!.split('.')
  const requiredNames = part.startsWith('column ') ? names : names.slice(-1)
  return migrations.find(({ sql }) => requiredNames.every((name) => new RegExp(`\\b${name}\\b`).test(sql)))
    ?.name
}

/**
 * Returns the differences between the database and this version's migrations, each with the defining file.
 * The database's own additions are not differences.
 */
export async function schemaDifferences(query: Query): Promise<SchemaDifference[]> {
  const differences = await query<{ part: string; isMissing: boolean }>(DIFFERENCES, [
    await readFile(EXPECTED, 'utf8'),
    embeddedMajorVersion,
  ])
  if (differences.length === 0) return []
  const migrations = await listMigrations()
  return differences.map(({ part, isMissing }) => {
    const file = fileOf(part, migrations)
    return {
      text: `${part} ${isMissing ? 'is missing' : 'differs'}${file ? ` (see ${file})` : ''}`,
      isHarmless: part.startsWith('index '),
    }
  })
}

const MAX_LISTED = 5

/**
 * Returns the reasons why this version cannot work well with the database; empty if it can. For starts and
 * readiness.
 */
export async function databaseFaults(
  query: Query,
  readDifferences = () => schemaDifferences(query),
): Promise<string[]> {
  const { pending, later, changed, requiredVersions } = await readHistory(query)
  if (requiredVersions.length > 0) return [describeRequiredVersions(requiredVersions)]
  if (pending.length > 0) return [`waiting for ${pending.join(', ')}`]
  const faults = changed.length > 0 ? [describeChangedMigrations(changed)] : []
  if (later.length > 0) return faults
  const differences = (await readDifferences()).filter(({ isHarmless }) => !isHarmless)
  if (differences.length === 0) return faults
  const listed = differences.slice(0, MAX_LISTED).map(({ text }) => text)
  const remaining = differences.length - listed.length
  return [
    ...faults,
    `the tables don't match this version's migrations: ${listed.join('; ')}${remaining > 0 ? `; and ${remaining} more` : ''}. ` +
      `${SCHEMA_ADVICE}. "parley doctor" lists all differences`,
  ]
}
