import { chmod, copyFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Config } from '../config.ts'
import { systemClock } from '../core/clock.ts'
import { makeFolder } from '../core/make-folder.ts'
import { openMediaStore } from '../media-store/open-store.ts'
import { findSecretKey } from '../startup/secret-key.ts'
import { backUp, readBackedUpKey } from './backup/back-up.ts'
import type { RevivedKey } from './backup/end-sign-ins.ts'
import type { Held } from './backup/hold-waiting-actions.ts'
import { backedUpKeyPath, type Manifest } from './backup/manifest.ts'
import { inspectBackup, restore } from './backup/restore.ts'
import { command } from './command.ts'
import { required, switchFlag, text } from './flags.ts'
import { openForCommand } from './installation.ts'

const KEY_FILE = 'secret.key'

export const backupCommands = [
  command({
    name: 'backup',
    summary: 'Back up the whole installation to a new folder. The server can keep running.',
    flags: { to: required(text('DIR')), withSecretKey: switchFlag, withoutFiles: switchFlag },
    run: async ({ to, withSecretKey = false, withoutFiles = false }, { config, say }) => {
      const settings = config()
      const folder = resolve(to)
      const store = withoutFiles ? null : await openMediaStore(settings, systemClock)
      const opened = await openForCommand(settings, say)
      try {
        const secretKey = readInstalledKey(settings)
        if (secretKey === undefined)
          throw new Error(
            `The secret key is missing. Set PARLEY_SECRET_KEY, or set PARLEY_DATA_DIR to the folder with ${KEY_FILE}.`,
          )
        const manifest = await backUp({
          databaseUrl: opened.url,
          folder,
          secretKey,
          withSecretKey,
          store,
          say,
        })
        if (!withSecretKey)
          say(
            `Keep the secret key (${settings.secretKey ? 'PARLEY_SECRET_KEY' : join(settings.dataDir, KEY_FILE)}) in a different place than the backup. You can't restore the backup without it.`,
          )
        return { backup: folder, ...summary(manifest) }
      } finally {
        await opened.close()
        await store?.close()
      }
    },
  }),
  command({
    name: 'restore',
    summary: 'Check a backup and restore it into an empty database.',
    flags: { from: required(text('DIR')), sendWaiting: switchFlag },
    run: async ({ from, sendWaiting = false }, { config, say, json }) => {
      const settings = config()
      const folder = resolve(from)
      const backedUpKey = await readBackedUpKey(folder)
      const manifest = await inspectBackup(folder, readInstalledKey(settings) ?? backedUpKey)
      const store = await openMediaStore(settings, systemClock)
      const opened = await openForCommand(settings, say, { mayLackCell: true })
      try {
        // Before the data that needs the key is there: a server that starts in between would create a new key.
        if (readInstalledKey(settings) === undefined) await installKey(settings, folder)
        const options = { databaseUrl: opened.url, folder, manifest, store, sendWaiting, say }
        const { held, sessionsEnded, keys } = await restore(options)
        if (Object.keys(held).length > 0) say(formatHeld(held, manifest))
        if (!json && keys.length > 0) say(formatRevivedKeys(keys, manifest))
        return {
          restored: folder,
          ...summary(manifest),
          held,
          sessionsEnded,
          keys: json ? keys : keys.length,
        }
      } finally {
        await opened.close()
        await store.close()
      }
    },
  }),
]

/** Returns this installation's key, without creating one: a new key could not decrypt anything. */
const readInstalledKey = (settings: Config): string | undefined => findSecretKey(settings)

async function installKey(settings: Config, folder: string): Promise<void> {
  makeFolder(settings.dataDir)
  const path = join(settings.dataDir, KEY_FILE)
  await copyFile(backedUpKeyPath(folder), path)
  await chmod(path, 0o600)
}

const formatHeld = (held: Held, { takenAt }: Manifest): string =>
  `Held back, because customers may have received it after the backup of ${takenAt}: ${Object.entries(held)
    .map(([kind, count]) => `${kind} ${count}`)
    .join(
      ', ',
    )}. See "Restore" in docs/operating.md before you start Parley. To send all of it, restore with --send-waiting.`

const formatRevivedKeys = (keys: RevivedKey[], { takenAt }: Manifest): string =>
  [
    `These API keys are valid again, including keys revoked after the backup of ${takenAt}. Revoke a key with "parley key revoke --key ID".`,
    ...keys.map(
      ({ keyId, label, prefix, role, workspace }) =>
        `  ${keyId}  ${prefix}…  ${role}  ${label}  (${workspace})`,
    ),
  ].join('\n')

const summary = ({ takenAt, tables, files }: Manifest) => ({
  takenAt,
  tables: tables.length,
  rows: tables.reduce((sum, { rows }) => sum + rows, 0),
  files: files?.count ?? null,
  missingFiles: files?.missing ?? null,
  bytes: tables.reduce((sum, { bytes }) => sum + bytes, 0),
})
