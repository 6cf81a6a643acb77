import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'

const MIGRATIONS = join(import.meta.dirname, '../../migrations')
/** Held while migrations run, so that two processes starting at once migrate once. */
export const MIGRATION_LOCK = 7_226_419

export type Migration = { name: string; sql: string }

/** The numbered, forward-only migrations in order. */
export async function listMigrations(): Promise<Migration[]> {
  const names = (await readdir(MIGRATIONS)).filter((name) => /^\d{4}_.+\.sql$/.test(name)).sort()
  return Promise.all(
    names.map(async (name) => ({ name, sql: await readFile(join(MIGRATIONS, name), 'utf8') })),
  )
}

type Query = <Row>(text: string) => Promise<Row[]>

/** Names of the migrations that the database does not have yet. */
export async function pendingMigrations(query: Query): Promise<string[]> {
  const [known] = await query<{ exists: boolean }>(
    "select to_regclass('schema_migrations') is not null as exists",
  )
  const done = known?.exists
    ? (await query<{ name: string }>('select name from schema_migrations')).map((row) => row.name)
    : []
  return (await listMigrations()).map((migration) => migration.name).filter((name) => !done.includes(name))
}

/** Asks over one connection of the driver. */
export const queryOf =
  (client: pg.ClientBase): Query =>
  async <Row>(text: string) =>
    (await client.query(text)).rows as Row[]

/**
 * Brings the database at `databaseUrl` up to this version, or as far as `upTo` names migrations. Each migration commits by
 * itself with its name, so that a crash between two leaves a database that the next start carries on with. A database
 * that is up to date is only looked at, so that a start does not wait for whoever keeps migrations away.
 */
export async function migrate(
  databaseUrl: string,
  log: (line: string) => void = () => {},
  upTo?: string[],
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'parley migrate' })
  await client.connect()
  const wanted = async () =>
    (await pendingMigrations(queryOf(client))).filter((name) => upTo?.includes(name) ?? true)
  try {
    if ((await wanted()).length === 0) return
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    await client.query(
      'create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null default now())',
    )
    const pending = await wanted()
    for (const migration of await listMigrations()) {
      if (!pending.includes(migration.name)) continue
      log(`migrating ${migration.name}`)
      await client.query('begin')
      await client.query(migration.sql)
      await client.query('insert into schema_migrations (name) values ($1)', [migration.name])
      await client.query('commit')
    }
  } finally {
    await client.end()
  }
}
