// Opens the database of the server for a command, whether the server runs or not.
import { type Config, directDatabaseUrl } from '../config.ts'
import { systemClock } from '../core/clock.ts'
import type { Tx } from '../core/context.ts'
import { createSealer, erasureKeyOf, type Sealer } from '../core/sealing.ts'
import { withCell } from '../core/values/cell.ts'
import { requireCell } from '../database/cells.ts'
import { type DatabaseOptions, type OpenDatabase, openDatabase } from '../database/database.ts'
import { openEmbedded } from '../database/embedded.ts'
import { isMigrated, migrate } from '../database/migrate.ts'
import { requireReachableDatabase } from '../startup/reachable-database.ts'
import { requireSecretKey } from '../startup/secret-key.ts'
import { requireUsableDataDir } from '../startup/usable-data-dir.ts'
import type { CommandContext } from './command.ts'

/** Dependencies of a platform operation: its transaction, the moment, and the sealer for secrets. */
export type Installation = { tx: Tx; now: Date; sealer: Sealer; config: Config }

/** Opens the database for a command, with its cell unless that may be missing; `close` stops only what this call started. */
export async function openForCommand(
  config: Config,
  say: (line: string) => void,
  options: { mayLackCell?: boolean } = {},
): Promise<{ url: string; close(): Promise<void> }> {
  await requireReachableDatabase(config, options)
  const ownUrl = directDatabaseUrl(config)
  if (ownUrl) return { url: ownUrl, close: async () => {} }
  requireUsableDataDir(config)
  const embedded = await openEmbedded({ dataDir: config.dataDir, log: say })
  const url = withCell(embedded.url, config.cell)
  try {
    if (!options.mayLackCell) await requireCell(url)
  } catch (error) {
    await embedded.stop()
    throw error
  }
  return { url, close: embedded.stop }
}

/** Runs `work` on the migrated database, opened with `options`, with the installation's settings and sealer. */
export async function onInstallation<T>(
  { config, say }: CommandContext,
  options: Omit<DatabaseOptions, 'url' | 'onError'>,
  work: (database: OpenDatabase, settings: Config, sealer: Sealer) => Promise<T>,
): Promise<T> {
  const settings = config()
  const opened = await openForCommand(settings, say)
  try {
    const secretKey = await requireSecretKey(opened.url, settings)
    const sealer = createSealer(secretKey)
    const database = openDatabase({
      installation: { siteUrl: settings.siteUrl, sealer, erasureKey: erasureKeyOf(secretKey) },
      ...options,
      url: opened.url,
      onError: (error) => say(error.message),
    })
    try {
      if (!(await isMigrated(database.query))) await migrate(opened.url, say)
      return await work(database, settings, sealer)
    } finally {
      await database.close()
    }
  } finally {
    await opened.close()
  }
}

/** Runs `work` on the migrated database, without webhook events for its changes. */
export const inDatabase = <T>(
  context: CommandContext,
  work: (database: OpenDatabase, sealer: Sealer, config: Config) => Promise<T>,
): Promise<T> =>
  onInstallation(
    context,
    { connections: 1, recordEvents: async () => {}, onCommit: () => {} },
    (database, config, sealer) => work(database, sealer, config),
  )

/** Runs `work` in one system transaction on the migrated database. */
export const inInstallation = <T>(
  context: CommandContext,
  work: (installation: Installation) => Promise<T>,
): Promise<T> =>
  inDatabase(context, (database, sealer, config) =>
    database.system((tx) => work({ tx, now: systemClock.now(), sealer, config })),
  )
