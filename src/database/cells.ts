/** The cells of a database: each is a schema with all of Parley's tables (docs/cells.md). */
import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { cellOf, DEFAULT_CELL, isCellName } from '../core/values/cell.ts'
import { onDatabase } from './on-database.ts'
import { quoted } from './stored-tables.ts'

/** Locked while a cell is created, because cells share the extensions and the role of requests. */
const CREATION_LOCK = 7_226_421
const POLL_MS = 100

/** The extensions that the migrations need. A database has each of them once, in one schema, for all cells. */
const EXTENSIONS = ['pg_trgm', 'btree_gin', 'btree_gist']

/** Throws if the cell of the address does not exist: its name may be misspelled. */
export async function requireCell(address: string): Promise<void> {
  const cell = cellOf(address)
  if (cell === DEFAULT_CELL) return
  const exists = await onDatabase(address, async (client) => {
    const { rows } = await client.query<{ exists: boolean }>('select current_schema() is not null as exists')
    return rows[0]?.exists
  })
  if (!exists) throw new Error(describeMissingCell(cell))
}

/** Explains that a cell does not exist, and what to do. */
export const describeMissingCell = (cell: string): string =>
  `This database has no cell ${cell}. Create it with "parley cell create ${cell}", or correct PARLEY_SCHEMA.`

/**
 * Runs `work` with the schema of the address's cell, which it creates if it is missing, and the extensions. One cell of a
 * database is created at a time. Throws if the schema belongs to another program, or has the name of a database user.
 */
export async function inNewCell<T>(address: string, work: () => Promise<T>): Promise<T> {
  const cell = cellOf(address)
  if (cell === DEFAULT_CELL) return work()
  return onDatabase(address, async (client) => {
    await takeCreationLock(client)
    await requireFreeName(client, cell)
    await createSchema(client, cell)
    await createExtensions(client)
    return work()
  })
}

/** Takes the lock for this session. It polls, because a waiting statement would delay concurrent index builds. */
async function takeCreationLock(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as taken', [CREATION_LOCK])
    if (rows[0].taken) return
    await wait(POLL_MS)
  }
}

/** Finds the tables that list Parley's migrations. Other programs have tables of this name with other columns. */
const MIGRATED = `select from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'applied_at'
  where c.relname = 'schema_migrations' and c.relkind = 'r'`

async function requireFreeName(client: pg.Client, cell: string): Promise<void> {
  const { rows } = await client.query<{ isWord: boolean; isUser: boolean; isOther: boolean }>(
    `select quote_ident($1) <> $1 as "isWord",
            exists (select from pg_roles where rolname = $1 and rolcanlogin) as "isUser",
            exists (select from pg_class c where c.relnamespace = to_regnamespace(quote_ident($1)))
              and not exists (${MIGRATED} and c.relnamespace = to_regnamespace(quote_ident($1))) as "isOther"`,
    [cell],
  )
  if (rows[0]?.isWord) throw new Error(`${cell} is a word of SQL. Give the cell another name.`)
  // PostgreSQL looks for tables in a user's own schema first, also those of the default cell.
  if (rows[0]?.isUser) throw new Error(`A database user is named ${cell}. Give the cell another name.`)
  if (rows[0]?.isOther)
    throw new Error(`The schema ${cell} has tables of another program. Give the cell another name.`)
}

/** Creates the schema unless it exists: PostgreSQL requires the privilege also for a schema that exists. */
async function createSchema(client: pg.Client, cell: string): Promise<void> {
  const { rows } = await client.query<{ isMissing: boolean; isAllowed: boolean; user: string }>(
    `select to_regnamespace(quote_ident($1)) is null as "isMissing", quote_ident(current_user) as user,
            has_database_privilege(current_database(), 'create') as "isAllowed"`,
    [cell],
  )
  const { isMissing, isAllowed, user } = rows[0]!
  if (!isMissing) return
  if (!isAllowed)
    throw new Error(
      `The database user ${user} can't create schemas. As a superuser, run: create schema ${cell} authorization ${user}`,
    )
  await client.query(`create schema ${quoted(cell)}`)
}

async function createExtensions(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>('select extname as name from pg_extension')
  const existing = rows.map(({ name }) => name)
  for (const name of EXTENSIONS.filter((extension) => !existing.includes(extension)))
    await client.query(`create extension if not exists ${name} schema ${DEFAULT_CELL}`)
}

/** A cell of a database; `megabytes` is the size of its tables and indexes. */
export type Cell = { name: string; megabytes: number }

/** Returns the cells of a database, by name. */
export async function listCells(client: pg.ClientBase): Promise<Cell[]> {
  const { rows } = await client.query<Cell>(
    `select n.nspname::text as name,
            (select round(coalesce(sum(pg_total_relation_size(t.oid)), 0) / 1e6, 1)::float8
             from pg_class t where t.relnamespace = n.oid and t.relkind = 'r') as megabytes
     from pg_namespace n where exists (${MIGRATED} and c.relnamespace = n.oid) order by n.nspname`,
  )
  return rows.filter(({ name }) => isCellName(name))
}

/** Returns the schema of the extension whose operator classes the migrations name; undefined if the database lacks it. */
async function extensionSchema(client: pg.ClientBase): Promise<string | undefined> {
  const { rows } = await client.query<{ schema: string }>(
    "select extnamespace::regnamespace::text as schema from pg_extension where extname = 'pg_trgm'",
  )
  return rows[0]?.schema
}

/**
 * Returns a function that writes a migration for the connection's cell. Released migrations name the schema of the default
 * cell, and cannot change. The search path of a cell has its own schema alone, so operator classes need theirs.
 */
export async function migrationWriter(client: pg.ClientBase, cell: string): Promise<(sql: string) => string> {
  if (cell === DEFAULT_CELL) return (sql) => sql
  const extensions = await extensionSchema(client)
  if (extensions === undefined) throw new Error(describeMissingCell(cell))
  return (sql) =>
    sql
      .replaceAll(`search_path = pg_catalog, ${DEFAULT_CELL}`, `search_path = pg_catalog, ${cell}`)
      .replaceAll(`usage on schema ${DEFAULT_CELL}`, `usage on schema ${cell}`)
      .replaceAll(/\bgin_trgm_ops\b/g, `${extensions}.gin_trgm_ops`)
}
