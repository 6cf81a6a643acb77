// The database that a command works on: the server's own, whether the server runs or not.
import { type Config, directDatabaseUrl, ensureSecretKey } from '../config.ts'
import { systemClock } from '../core/clock.ts'
import type { Tx } from '../core/context.ts'
import { createSealer, type Sealer } from '../core/sealing.ts'
import { openDatabase } from '../database/database.ts'
import { openEmbedded } from '../database/embedded.ts'
import { migrate } from '../database/migrate.ts'
import { requireReachableDatabase } from '../startup/reachable-database.ts'
import type { Surroundings } from './command.ts'

/** What an operation of the platform needs: its transaction, the moment, and the seal for secrets. */
export type Installation = { tx: Tx; now: Date; sealer: Sealer; config: Config }

/** Opens the database for a command; `close` ends what this call started and nothing else. */
export async function openForCommand(
  config: Config,
  say: (line: string) => void,
): Promise<{ url: string; close(): Promise<void> }> {
  await requireReachableDatabase(config)
  const url = directDatabaseUrl(config)
  if (url) return { url, close: async () => {} }
  const embedded = await openEmbedded({ dataDir: config.dataDir, log: say })
  return { url: embedded.url, close: embedded.stop }
}

/** Runs `work` in one system transaction on the migrated database. */
export async function inInstallation<T>(
  { config, say }: Surroundings,
  work: (installation: Installation) => Promise<T>,
): Promise<T> {
  const settings = config()
  const opened = await openForCommand(settings, say)
  try {
    await migrate(opened.url, say)
    const database = openDatabase({
      url: opened.url,
      connections: 1,
      onError: (error) => say(error.message),
      // What commands change is not announced to anybody's webhooks.
      recordEvents: async () => {},
      onCommit: () => {},
    })
    try {
      const sealer = createSealer(settings.secretKey ?? ensureSecretKey(settings.dataDir))
      return await database.system((tx) => work({ tx, now: systemClock.now(), sealer, config: settings }))
    } finally {
      await database.close()
    }
  } finally {
    await opened.close()
  }
}
