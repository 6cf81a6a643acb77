import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { ROOT } from '../core/installation-root.ts'
import { isOlderVersion, readOwnVersion } from '../core/own-version.ts'
import { cellOf } from '../core/values/cell.ts'
import { migrationWriter, requireCell } from './cells.ts'
import { DatabaseClient } from './client.ts'
import { splitStatements } from './split-statements.ts'
import { cellLock } from './sql/cell-lock.ts'
import { requireTenantRole } from './tenant-role.ts'

const MIGRATIONS = join(ROOT, 'migrations')
/** Locked while a cell's migrations run, so that two processes starting at the same time migrate once. */
export const MIGRATION_LOCK = 7_226_419

/**
 * A table change that waits for its lock blocks all later queries: it waits this long, lets them pass, and
 * tries again.
 */
const LOCK_TIMEOUT_MS = 1_000
const PAUSE_MS = 1_000
const MAX_ATTEMPTS = 100
const POLL_MS = 100
/** lock_not_available, deadlock_detected */
const LOCK_CONFLICTS = ['55P03', '40P01']
/** insufficient_privilege */
const NOT_ALLOWED = '42501'

export type Migration = { name: string; sql: string }

/** Hashes the file's text without line ends, because Git may change them. */
export const checksumOf = (sql: string): string =>
  createHash('sha256').update(sql.replaceAll('\r\n', '\n')).digest('hex')

const listNames = async (): Promise<string[]> =>
  (await readdir(MIGRATIONS)).filter((name) => /^\d{4}_.+\.sql$/.test(name)).sort()

/** Returns the numbered, forward-only migrations in order. Reads them synchronously: a hundred small files take a tenth of the time. */
export async function listMigrations(): Promise<Migration[]> {
  return (await listNames()).map((name) => ({ name, sql: readFileSync(join(MIGRATIONS, name), 'utf8') }))
}

type Query = <Row>(text: string, parameters?: unknown[]) => Promise<Row[]>
/** Writes a migration for the cell. */
type Write = (sql: string) => string
type Applied = { name: string; checksum: string | null; adopted: boolean; oldestVersion: string | null }

/** Returns the migrations that the database has. Databases of older versions have no checksums yet. */
async function appliedMigrations(query: Query): Promise<Applied[]> {
  const [table] = await query<{ exists: boolean }>(
    "select to_regclass('schema_migrations') is not null as exists",
  )
  if (!table?.exists) return []
  return query<Applied>(
    `select name, row ->> 'checksum' as checksum, coalesce((row ->> 'checksum_adopted')::boolean, false) as adopted,
            row ->> 'oldest_version' as "oldestVersion"
     from (select name, to_jsonb(m) as row from schema_migrations m) m order by name`,
  )
}

/**
 * Returns whether the database has every migration of this version, and its user may act for requests: `migrate` then has no work.
 * It reads only names, because the CLI checks this for every command.
 */
export async function isMigrated(query: Query): Promise<boolean> {
  const [state] = await query<{ ready: boolean }>(
    `select to_regclass('schema_migrations') is not null
       and exists (select from pg_roles where rolname = 'parley_tenant' and pg_has_role(oid, 'member')) as ready`,
  )
  if (!state?.ready) return false
  const applied = new Set(
    (await query<{ name: string }>('select name from schema_migrations')).map(({ name }) => name),
  )
  return (await listNames()).every((name) => applied.has(name))
}

/** The differences between a database's migrations and this version's, by name. */
export type MigrationHistory = {
  /** Not applied yet. */
  pending: string[]
  /** Applied by a newer version. */
  later: string[]
  /** Applied, but neither in this version nor newer: the file was renamed or removed. */
  unknown: string[]
  /** The file changed after it was applied. */
  changed: string[]
  /** Applied before checksums existed: it is unknown whether the file changed before that. */
  adopted: string[]
  /** Versions newer than this one, below which a later migration does not allow to work. */
  requiredVersions: string[]
}

export async function readHistory(query: Query, migrations?: Migration[]): Promise<MigrationHistory> {
  const ownMigrations = migrations ?? (await listMigrations())
  const checksums = new Map(ownMigrations.map(({ name, sql }) => [name, checksumOf(sql)]))
  const applied = await appliedMigrations(query)
  const names = new Set(applied.map(({ name }) => name))
  const unknownNames = applied.map(({ name }) => name).filter((name) => !checksums.has(name))
  const last = ownMigrations.at(-1)?.name ?? ''
  return {
    pending: ownMigrations.map(({ name }) => name).filter((name) => !names.has(name)),
    later: unknownNames.filter((name) => name > last),
    unknown: unknownNames.filter((name) => name < last),
    changed: applied
      .filter(
        ({ name, checksum }) => checksum !== null && checksums.has(name) && checksum !== checksums.get(name),
      )
      .map(({ name }) => name),
    adopted: applied.filter(({ adopted }) => adopted).map(({ name }) => name),
    requiredVersions: applied
      .flatMap(({ oldestVersion }) => oldestVersion ?? [])
      .filter((version) => isOlderVersion(readOwnVersion(), version)),
  }
}

/** Explains that migration files changed after they were applied, and what to do. */
export const describeChangedMigrations = (names: string[]): string =>
  `Migration files changed after this database applied them: ${names.join(', ')}. Tables may differ from what this version ` +
  'needs. Install the applied files, or restore a backup into a new database. If you have made the same change in the ' +
  'database yourself, run: parley migrate --accept-changed'

/** Explains that this version is too old for the database, and what to do. */
export const describeRequiredVersions = (versions: string[]): string =>
  `The database requires Parley ${versions.reduce((a, b) => (isOlderVersion(a, b) ? b : a))} or later: a newer version removed ` +
  'tables or columns that this version uses. Start the newer version, or restore a backup from before the upgrade into a new database'

/** Returns a query function for one connection of the driver. */
export const queryOf =
  (client: pg.ClientBase): Query =>
  async <Row>(text: string, parameters?: unknown[]) =>
    (await client.query(text, parameters)).rows as Row[]

/**
 * Takes the lock of migrations for this session. It polls, because waiting inside PostgreSQL keeps a
 * snapshot, and a concurrent index build waits for all snapshots.
 */
export async function takeMigrationLock(client: pg.ClientBase, mode: '' | '_shared' = ''): Promise<void> {
  for (;;) {
    const { rows } = await client.query(
      `select pg_try_advisory_lock${mode}(${cellLock(MIGRATION_LOCK)}) as taken`,
    )
    if (rows[0].taken) return
    await wait(POLL_MS)
  }
}

/** A concurrent index build cannot run in a transaction, so it must be alone in its file. */
const CONCURRENT_INDEX = /^(?:\s*--[^\n]*\n)*\s*create (?:unique )?index concurrently (\w+)/i

async function createIndex(client: pg.ClientBase, index: string, text: string): Promise<void> {
  const { rows } = await client.query<{ valid: boolean }>(
    'select indisvalid as valid from pg_index where indexrelid = to_regclass($1)',
    [index],
  )
  if (rows[0]?.valid) return
  // An interrupted build leaves an invalid index.
  if (rows[0]) await client.query(`drop index concurrently ${index}`)
  await client.query(text)
}

const CREATE_TABLE = `create table if not exists schema_migrations (name text primary key,
  applied_at timestamptz not null default now(), checksum text, checksum_adopted boolean not null default false)`

/** Returns whether the table has a column: in an older version it does not exist before its migration. */
async function hasColumn(client: pg.ClientBase, name: 'checksum' | 'oldest_version'): Promise<boolean> {
  const { rows } = await client.query<{ kept: boolean }>(
    `select exists (select from pg_attribute where attrelid = 'schema_migrations'::regclass and attname = $1
       and not attisdropped) as kept`,
    [name],
  )
  return rows[0]?.kept ?? false
}

/** The mark of a migration that removes something: `-- oldest version: 1.2.0`. */
const OLDEST_VERSION = /^-- oldest version: (\d+\.\d+\.\d+)$/m

/** Stores the oldest version that works after this migration. */
async function recordOldestVersion(client: pg.ClientBase, { name, sql }: Migration): Promise<void> {
  const version = OLDEST_VERSION.exec(sql)?.[1]
  if (version && (await hasColumn(client, 'oldest_version')))
    await client.query('update schema_migrations set oldest_version = $2 where name = $1', [name, version])
}

async function recordMigration(client: pg.ClientBase, { name, sql }: Migration): Promise<void> {
  if (await hasColumn(client, 'checksum'))
    await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [
      name,
      checksumOf(sql),
    ])
  else await client.query('insert into schema_migrations (name) values ($1)', [name])
  await recordOldestVersion(client, { name, sql })
}

/**
 * Stores the current files' checksums for rows without one; `appliedNow` lists migrations applied by this
 * run.
 */
async function adoptChecksums(
  client: pg.ClientBase,
  migrations: Migration[],
  appliedNow: string[],
): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `update schema_migrations m set checksum = f.checksum, checksum_adopted = not (m.name = any($3))
     from unnest($1::text[], $2::text[]) f (name, checksum)
     where m.name = f.name and m.checksum is null returning m.name`,
    [migrations.map(({ name }) => name), migrations.map(({ sql }) => checksumOf(sql)), appliedNow],
  )
  return rows
    .map(({ name }) => name)
    .filter((name) => !appliedNow.includes(name))
    .sort()
}

/** Accepts the current files as applied; returns the names of the changed ones. */
export async function acceptChangedMigrations(databaseUrl: string): Promise<string[]> {
  const client = new DatabaseClient({ connectionString: databaseUrl, application_name: 'parley migrate' })
  await client.connect()
  try {
    await takeMigrationLock(client)
    const migrations = await listMigrations()
    const { changed } = await readHistory(queryOf(client), migrations)
    if (changed.length === 0) return []
    await client.query(
      `update schema_migrations m set checksum = f.checksum, checksum_adopted = true
       from unnest($1::text[], $2::text[]) f (name, checksum) where m.name = f.name and m.name = any($3)`,
      [migrations.map(({ name }) => name), migrations.map(({ sql }) => checksumOf(sql)), changed],
    )
    return changed
  } finally {
    await client.end()
  }
}

/** Citus sends the text of a command to the nodes, so there each command is a text of its own. */
const statementsFor = (client: pg.ClientBase, sql: string): string[] =>
  client instanceof DatabaseClient && client.isDistributed ? splitStatements(sql) : [sql]

async function applyOnce(client: pg.ClientBase, migration: Migration, write: Write): Promise<void> {
  const { sql } = migration
  const index = CONCURRENT_INDEX.exec(sql)?.[1]
  if (index) {
    await createIndex(client, index, write(sql))
    await recordMigration(client, migration)
    return
  }
  try {
    await client.query(`begin; set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
    for (const statement of statementsFor(client, write(sql))) await client.query(statement)
    await recordMigration(client, migration)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

async function apply(
  client: pg.ClientBase,
  migration: Migration,
  { write, log }: { write: Write; log: (line: string) => void },
): Promise<void> {
  log(`migrating ${migration.name}`)
  for (let attempt = 1; ; attempt++)
    try {
      return await applyOnce(client, migration, write)
    } catch (error) {
      if (!LOCK_CONFLICTS.includes((error as { code?: string }).code ?? '') || attempt === MAX_ATTEMPTS) {
        log(`migration failed: ${migration.name}`)
        throw error
      }
      if (attempt === 1) log(`${migration.name} is waiting for a table lock`)
      await wait(PAUSE_MS * (0.5 + Math.random()))
    }
}

function explainMissingRights(error: unknown): unknown {
  const { code, message } = error as Error & { code?: string }
  if (code !== NOT_ALLOWED) return error
  return new Error(
    `The database user doesn't have a required privilege: ${message}. See docs/operating.md for the privileges.`,
  )
}

type Applying = {
  all: Migration[]
  upTo: string[] | undefined
  cell: string
  log: (line: string) => void
}

/** Checks before a migration, and records it after: only ever under the lock. */
async function applyPending(client: pg.ClientBase, { all, upTo, cell, log }: Applying): Promise<void> {
  await takeMigrationLock(client)
  await client.query(CREATE_TABLE)
  const { pending, changed } = await readHistory(queryOf(client), all)
  // Later migrations depend on the applied ones, and must not run on top of different ones.
  if (changed.length > 0 && pending.length > 0) throw new Error(describeChangedMigrations(changed))
  const pendingMigrations = all.filter(({ name }) => pending.includes(name) && (upTo?.includes(name) ?? true))
  const write = await migrationWriter(client, cell)
  for (const migration of pendingMigrations) await apply(client, migration, { write, log })
  if (!(await hasColumn(client, 'checksum'))) return
  const adopted = await adoptChecksums(
    client,
    all,
    pendingMigrations.map(({ name }) => name),
  )
  if (adopted.length > 0)
    log(
      `${adopted[0]} to ${adopted.at(-1)} were applied before Parley kept checksums of migrations. Changes to their files ` +
        "until now can't be detected. Later changes will be.",
    )
}

/**
 * Migrates the database at `databaseUrl` to this version, or up to `upTo`. Each migration commits alone with
 * its checksum, so a crash between two is safe. Only reads an up-to-date database. Others keep working
 * meanwhile (docs/decisions/migrations.md).
 * @throws if the cell of the address does not exist, if the user lacks a right that every request needs, if migrations are pending on top of changed
 * files, or if this version is too old for the database.
 */
export async function migrate(
  databaseUrl: string,
  log: (line: string) => void = () => {},
  upTo?: string[],
  migrations?: Migration[],
): Promise<void> {
  const allMigrations = migrations ?? (await listMigrations())
  await requireCell(databaseUrl)
  const client = new DatabaseClient({
    connectionString: databaseUrl,
    application_name: 'parley migrate',
    definesTables: true,
  })
  await client.connect()
  // The duration of a migration depends on its tables, so the user's statement timeout must not apply.
  await client.query('set statement_timeout = 0')
  try {
    const { pending, requiredVersions } = await readHistory(queryOf(client), allMigrations)
    if (requiredVersions.length > 0) throw new Error(`${describeRequiredVersions(requiredVersions)}.`)
    if (pending.some((name) => upTo?.includes(name) ?? true))
      await applyPending(client, { all: allMigrations, upTo, cell: cellOf(databaseUrl), log })
    await requireTenantRole(client)
  } catch (error) {
    throw explainMissingRights(error)
  } finally {
    await client.end()
  }
}
