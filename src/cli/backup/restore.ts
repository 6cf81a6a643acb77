import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createZstdDecompress } from 'node:zlib'
import type pg from 'pg'
import { inNewCell } from '../../database/cells.ts'
import { copyIn } from '../../database/copy.ts'
import { listMigrations, MIGRATION_LOCK, migrate } from '../../database/migrate.ts'
import { cellLock } from '../../database/sql/cell-lock.ts'
import { listStoredTables, quoted } from '../../database/stored-tables.ts'
import type { MediaStore } from '../../media-store/port.ts'
import { FIRST_RUN_LOCK } from '../../startup/first-run.ts'
import { verify } from './checked-file.ts'
import { endSignIns, type Revived } from './end-sign-ins.ts'
import { restoreFiles, verifyFiles } from './files.ts'
import { type Held, holdWaitingActions } from './hold-waiting-actions.ts'
import { isKeyOf, type Manifest, readManifest, tablePath } from './manifest.ts'
import { openForTables } from './snapshot.ts'

/** Checks a backup without a database: that it is complete, and that the key decrypts its sealed values. */
export async function inspectBackup(folder: string, secretKey: string | undefined): Promise<Manifest> {
  const manifest = await readManifest(folder)
  const ownMigrations = (await listMigrations()).map(({ name }) => name)
  const unknown = manifest.migrations.filter((name) => !ownMigrations.includes(name))
  if (unknown.length > 0)
    throw new Error(
      `A newer Parley made this backup (it has ${unknown.join(', ')}). Restore it with that version.`,
    )
  if (secretKey === undefined || !isKeyOf(secretKey, manifest))
    throw new Error(
      'The secrets in this backup were encrypted with another key than ' +
        (secretKey === undefined ? 'any key found here' : 'the one set here') +
        '. Set PARLEY_SECRET_KEY to the key of the backed-up installation, or copy its secret.key into the data directory.',
    )
  for (const table of manifest.tables) await verify(tablePath(folder, table.name), table)
  await verifyFiles(folder, manifest)
  return manifest
}

export type RestoreOptions = {
  databaseUrl: string
  folder: string
  manifest: Manifest
  store: MediaStore
  /** Waiting messages to customers are sent as usual; otherwise they are held back. */
  sendWaiting: boolean
  say(line: string): void
}

/**
 * Loads an inspected backup into an empty database and into the store, then migrates to this version. Returns the held messages
 * and the keys that are valid again. The rows load in one transaction: an interrupted restore leaves an empty database and can
 * run again.
 */
export async function restore(options: RestoreOptions): Promise<Revived & { held: Held }> {
  return inNewCell(options.databaseUrl, () => load(options))
}

async function load(options: RestoreOptions): Promise<Revived & { held: Held }> {
  const { databaseUrl, folder, manifest, store, say } = options
  let held: Held = {}
  let revived: Revived = { sessionsEnded: 0, keys: [] }
  const client = await openForTables(databaseUrl, 'restore')
  try {
    await refuseUnlessEmpty(client, manifest)
    await migrate(databaseUrl, say, manifest.migrations)
    await restoreFiles(folder, manifest, store)
    await client.query('begin')
    // A server that starts meanwhile waits, and then finds an installation.
    await client.query(
      `select pg_advisory_xact_lock(${cellLock(MIGRATION_LOCK)}), pg_advisory_xact_lock(${cellLock(FIRST_RUN_LOCK)})`,
    )
    await refuseUnlessEmpty(client, manifest)
    await makePartitions(client, manifest)
    for (const table of manifest.tables) await loadTable(client, table, folder)
    for (const { name, value, called } of manifest.sequences)
      await client.query('select setval($1::regclass, $2::bigint, $3)', [quoted(name), value, called])
    revived = await endSignIns(client, manifest)
    if (!options.sendWaiting) held = await holdWaitingActions(client, manifest)
    await client.query('commit')
    // Query plans depend on the tables' statistics.
    await client.query('analyze')
  } finally {
    await client.end()
  }
  await migrate(databaseUrl, say)
  return { held, ...revived }
}

async function refuseUnlessEmpty(client: pg.Client, manifest: Manifest): Promise<void> {
  const tables = await listStoredTables(client)
  const backedUpTables = tables.filter(({ name }) => manifest.tables.some((table) => table.name === name))
  for (const { name } of backedUpTables) {
    const { rows } = await client.query(`select 1 from ${quoted(name)} limit 1`)
    if (rows.length > 0)
      throw new Error(
        `The database isn't empty (${name} has rows). Restore into a new one with another DATABASE_URL or PARLEY_DATA_DIR. Nothing was changed.`,
      )
  }
  const history = await client.query<{ exists: boolean }>(
    "select to_regclass('schema_migrations') is not null as exists",
  )
  if (!history.rows[0]?.exists) return
  const { rows } = await client.query<{ name: string }>('select name from schema_migrations')
  const later = rows.filter(({ name }) => !manifest.migrations.includes(name))
  if (later.length > 0)
    throw new Error(
      `The database is newer than the backup (it has ${later.map(({ name }) => name).join(', ')}). Restore into a database without tables. The restore then migrates it.`,
    )
}

async function makePartitions(client: pg.Client, { partitions }: Manifest): Promise<void> {
  for (const { name, parent, bound, partitionBy } of partitions)
    await client.query(
      `create table if not exists ${quoted(name)} partition of ${quoted(parent)} ${bound}` +
        (partitionBy === null ? '' : ` partition by ${partitionBy}`),
    )
}

/** Loads without the triggers: their earlier results are in the other tables. */
async function loadTable(
  client: pg.Client,
  { name, columns, rows }: Manifest['tables'][number],
  folder: string,
): Promise<void> {
  const table = quoted(name)
  await client.query(`alter table ${table} disable trigger user`)
  // A fault of the source ends the copy, which reports it.
  const source = pipeline(createReadStream(tablePath(folder, name)), createZstdDecompress(), () => {})
  const loaded = await copyIn(client, `copy ${table} (${columns.map(quoted).join(', ')}) from stdin`, source)
  if (loaded !== rows) throw new Error(`${name} has ${loaded} rows instead of ${rows}. Nothing was restored.`)
  await client.query(`alter table ${table} enable trigger user`)
}
