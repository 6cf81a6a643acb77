import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { requireTenantRole } from './tenant-role.ts'

const MIGRATIONS = join(import.meta.dirname, '../../migrations')
/** Held while migrations run, so that two processes starting at once migrate once. */
export const MIGRATION_LOCK = 7_226_419

/** Everybody waits behind a change of a table that waits for its turn: it waits this long, lets them by, and asks again. */
const LOCK_TIMEOUT_MS = 1_000
const PAUSE_MS = 1_000
const TRIES = 100
const LOOK_MS = 100
/** lock_not_available, deadlock_detected */
const IN_THE_WAY = ['55P03', '40P01']
/** insufficient_privilege */
const NOT_ALLOWED = '42501'

export type Migration = { name: string; sql: string }

/** The numbered, forward-only migrations in order. */
export async function listMigrations(): Promise<Migration[]> {
  const names = (await readdir(MIGRATIONS)).filter((name) => /^\d{4}_.+\.sql$/.test(name)).sort()
  return Promise.all(
    names.map(async (name) => ({ name, sql: await readFile(join(MIGRATIONS, name), 'utf8') })),
  )
}

type Query = <Row>(text: string) => Promise<Row[]>

/** Names of the migrations that the database has. */
async function appliedMigrations(query: Query): Promise<string[]> {
  const [known] = await query<{ exists: boolean }>(
    "select to_regclass('schema_migrations') is not null as exists",
  )
  if (!known?.exists) return []
  return (await query<{ name: string }>('select name from schema_migrations order by name')).map(
    ({ name }) => name,
  )
}

/** Those that the database has from a newer version than this one. */
export async function laterMigrations(query: Query): Promise<string[]> {
  const ours = (await listMigrations()).map(({ name }) => name)
  return (await appliedMigrations(query)).filter((name) => !ours.includes(name))
}

/** Names of the migrations that the database does not have yet. */
export async function pendingMigrations(query: Query, migrations?: Migration[]): Promise<string[]> {
  const done = await appliedMigrations(query)
  const all = migrations ?? (await listMigrations())
  return all.map((migration) => migration.name).filter((name) => !done.includes(name))
}

/** Asks over one connection of the driver. */
export const queryOf =
  (client: pg.ClientBase): Query =>
  async <Row>(text: string) =>
    (await client.query(text)).rows as Row[]

/**
 * Takes the lock of migrations for this session. It is asked for again and again: who waits inside PostgreSQL holds a
 * snapshot, and an index that is made concurrently waits for all of them.
 */
export async function takeMigrationLock(client: pg.ClientBase, mode: '' | '_shared' = ''): Promise<void> {
  for (;;) {
    const { rows } = await client.query(`select pg_try_advisory_lock${mode}($1) as taken`, [MIGRATION_LOCK])
    if (rows[0].taken) return
    await wait(LOOK_MS)
  }
}

/** An index made beside everybody's work cannot be made in a transaction, and is alone in its file. */
const CONCURRENT_INDEX = /^(?:\s*--[^\n]*\n)*\s*create (?:unique )?index concurrently (\w+)/i

async function makeIndex(client: pg.ClientBase, index: string, sql: string): Promise<void> {
  const { rows } = await client.query<{ valid: boolean }>(
    'select indisvalid as valid from pg_index where indexrelid = to_regclass($1)',
    [index],
  )
  if (rows[0]?.valid) return
  // What a run that was broken off left behind serves nobody.
  if (rows[0]) await client.query(`drop index concurrently ${index}`)
  await client.query(sql)
}

const NOTE = 'insert into schema_migrations (name) values ($1)'

async function applyOnce(client: pg.ClientBase, { name, sql }: Migration): Promise<void> {
  const index = CONCURRENT_INDEX.exec(sql)?.[1]
  if (index) {
    await makeIndex(client, index, sql)
    await client.query(NOTE, [name])
    return
  }
  try {
    await client.query(`begin; set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
    await client.query(sql)
    await client.query(NOTE, [name])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

async function apply(client: pg.ClientBase, migration: Migration, log: (line: string) => void) {
  log(`migrating ${migration.name}`)
  for (let attempt = 1; ; attempt++)
    try {
      return await applyOnce(client, migration)
    } catch (error) {
      if (!IN_THE_WAY.includes((error as { code?: string }).code ?? '') || attempt === TRIES) throw error
      if (attempt === 1) log(`${migration.name} waits for a table that others are busy with`)
      await wait(PAUSE_MS * (0.5 + Math.random()))
    }
}

function rightsNamed(error: unknown): unknown {
  const { code, message } = error as Error & { code?: string }
  if (code !== NOT_ALLOWED) return error
  return new Error(`The database user lacks a right: ${message}. docs/operating.md says which it needs.`)
}

/**
 * Brings the database at `databaseUrl` up to this version, or as far as `upTo` names migrations. Each migration commits by
 * itself with its name, so that a crash between two leaves a database that the next start carries on with. A database
 * that is up to date is only looked at, so that a start does not wait for whoever keeps migrations away. Others go on working
 * meanwhile (docs/decisions/migrations.md). Throws, too, when its user lacks a right that every request needs.
 */
export async function migrate(
  databaseUrl: string,
  log: (line: string) => void = () => {},
  upTo?: string[],
  migrations?: Migration[],
): Promise<void> {
  const all = migrations ?? (await listMigrations())
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'parley migrate' })
  await client.connect()
  // A migration takes as long as its tables are large, whatever its user's other statements may take.
  await client.query('set statement_timeout = 0')
  const wanted = async () =>
    (await pendingMigrations(queryOf(client), all)).filter((name) => upTo?.includes(name) ?? true)
  try {
    if ((await wanted()).length > 0) {
      await takeMigrationLock(client)
      await client.query(
        'create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null default now())',
      )
      const pending = await wanted()
      for (const migration of all) if (pending.includes(migration.name)) await apply(client, migration, log)
    }
    await requireTenantRole(client)
  } catch (error) {
    throw rightsNamed(error)
  } finally {
    await client.end()
  }
}
