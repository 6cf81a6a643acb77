import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { constants, createZstdCompress } from 'node:zlib'
import type pg from 'pg'
import { systemClock } from '../../core/clock.ts'
import { makeFolder } from '../../core/make-folder.ts'
import { copyOut } from '../../database/copy.ts'
import {
  listPartitions,
  listSequences,
  listStoredTables,
  quoted,
  type StoredTable,
} from '../../database/stored-tables.ts'
import type { MediaStore } from '../../media-store/port.ts'
import { countSealedWithin, describeUnopened } from '../../startup/sealed-secrets.ts'
import { syncFolder, writeChecked } from './checked-file.ts'
import { copyFiles } from './files.ts'
import {
  backedUpKeyPath,
  type Manifest,
  manifestPath,
  newManifest,
  sealProof,
  tablePath,
} from './manifest.ts'
import { inSnapshot } from './snapshot.ts'

export type BackUpOptions = {
  databaseUrl: string
  /** Absolute path; created if missing, refused if not empty. */
  folder: string
  secretKey: string
  /** Includes the secret key in the backup, which must then be kept as safe as the key. */
  withSecretKey: boolean
  /** Null: without files. */
  store: MediaStore | null
  say(line: string): void
}

const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 } }

/** Refuses a folder that is not empty; creates a missing one. */
export async function prepareEmptyFolder(folder: string): Promise<void> {
  makeFolder(folder, 0o700)
  if ((await readdir(folder)).length > 0)
    throw new Error(`${folder} isn't empty. Give a new folder, so that nothing is overwritten.`)
}

/** Writes the whole database as of one moment, and its files, into a folder. */
export async function backUp(options: BackUpOptions): Promise<Manifest> {
  const { folder } = options
  await prepareEmptyFolder(folder)
  const manifest = await inSnapshot(options.databaseUrl, 'backup', async (client) => {
    const takenAt = systemClock.now().toISOString()
    const migrations = await migrationsOf(client)
    await checkKey(client, options)
    // Files first, so that fewer are deleted before they are copied.
    const files = options.store && (await copyFiles(client, options.store, folder))
    const tables: Manifest['tables'] = []
    for (const table of await listStoredTables(client)) tables.push(await backUpTable(client, table, folder))
    return newManifest({
      takenAt,
      postgres: (await client.query<{ version: string }>('select version()')).rows[0]?.version ?? '',
      migrations,
      sealedProof: sealProof(options.secretKey, takenAt),
      tables,
      partitions: await listPartitions(client),
      sequences: await listSequences(client),
      files,
    })
  })
  if (options.withSecretKey)
    await writeFile(backedUpKeyPath(folder), `${options.secretKey}\n`, {
      mode: 0o600,
      flag: 'wx',
      flush: true,
    })
  await syncFolder(join(folder, 'tables'))
  await syncFolder(folder)
  await writeFile(manifestPath(folder), `${JSON.stringify(manifest, null, 2)}\n`, {
    mode: 0o600,
    flag: 'wx',
    flush: true,
  })
  await syncFolder(folder)
  return manifest
}

/** Returns the key in a backup, if it contains one. */
export const readBackedUpKey = async (folder: string): Promise<string | undefined> => {
  try {
    return (await readFile(backedUpKeyPath(folder), 'utf8')).trim()
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}

async function migrationsOf(client: pg.Client): Promise<string[]> {
  const result = await client.query<{ exists: boolean }>(
    "select to_regclass('schema_migrations') is not null as exists",
  )
  if (!result.rows[0]?.exists)
    throw new Error('There is nothing to back up. This database was never migrated.')
  const { rows } = await client.query<{ name: string }>('select name from schema_migrations order by name')
  return rows.map(({ name }) => name)
}

/**
 * Refuses a secret key that decrypts no stored secret, because the backup could not be restored with it. Single secrets of
 * another key are not readable in the installation either, and are reported.
 */
async function checkKey(client: pg.Client, { secretKey, say }: BackUpOptions): Promise<void> {
  const counts = await countSealedWithin(client, secretKey)
  const unopened = describeUnopened(counts)
  if (unopened.length === 0) return
  if (counts.every((count) => count.unopened === count.rows))
    throw new Error(
      `This secret key can't decrypt the stored secrets: ${unopened.join(', ')}. ` +
        "Set PARLEY_SECRET_KEY to the installation's key, then try again.",
    )
  say(
    `Encrypted with another key and not readable after a restore: ${unopened.join(', ')}. Enter these tokens and secrets again.`,
  )
}

async function backUpTable(
  client: pg.Client,
  { name, columns, partitioned }: StoredTable,
  folder: string,
): Promise<Manifest['tables'][number]> {
  const columnList = columns.map(quoted).join(', ')
  // A partitioned table can only be read by a query; a plain table needs none.
  const source = partitioned
    ? `(select ${columnList} from ${quoted(name)})`
    : `${quoted(name)} (${columnList})`
  const { bytes, rows } = copyOut(client, `copy ${source} to stdout`)
  const contents = await writeChecked(tablePath(folder, name), bytes, createZstdCompress(ZSTD))
  return { name, columns, rows: rows(), ...contents }
}
