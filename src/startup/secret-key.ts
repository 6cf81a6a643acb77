/**
 * The secret key of an installation: the configured one, the stored one, or a new one if nothing is sealed
 * yet.
 */
import { join } from 'node:path'
import type pg from 'pg'
import { type Config, ConfigError } from '../config.ts'
import { onDatabase } from '../database/on-database.ts'
import { countSealed, describeUnopened, hasSealedValues } from './sealed-secrets.ts'
import { ensureSecretKey, readSecretKeyFile } from './secret-key-file.ts'

export const keyPath = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'secret.key')

/** Returns the configured or stored key; undefined if there is none. Creates none. */
export const findSecretKey = (config: Config): string | undefined =>
  config.secretKey ?? readSecretKeyFile(config.dataDir)

/** Explains what to do if the key is lost and the database contains secrets. */
export const describeLostKey = (config: Config): string =>
  `The secret key is missing: PARLEY_SECRET_KEY isn't set and ${keyPath(config)} doesn't exist, but this database has secrets ` +
  `encrypted with it. Restore the file, or set PARLEY_SECRET_KEY. If the key is lost, set PARLEY_SECRET_KEY to a new ` +
  'one (openssl rand -hex 32), start Parley, and enter the tokens and secrets again. "parley doctor" lists them'

/**
 * Returns the key. Creates one only for a database without sealed values; throws if the old one is missing.
 */
export async function requireSecretKey(databaseUrl: string, config: Config): Promise<string> {
  const existing = findSecretKey(config)
  if (existing !== undefined) return existing
  if (await onDatabase(databaseUrl, hasSealedValues)) throw new ConfigError([describeLostKey(config)])
  return ensureSecretKey(config.dataDir)
}

/** Warns about values that the key does not open, such as after another machine created its own key. */
export async function warnOfWrongKey(
  client: pg.Client,
  { config, secretKey, warn }: { config: Config; secretKey: string; warn(line: string): void },
): Promise<void> {
  const counts = await countSealed(client, secretKey)
  const unopened = describeUnopened(counts)
  if (unopened.length === 0) return
  const name = config.secretKey === undefined ? keyPath(config) : 'PARLEY_SECRET_KEY'
  warn(
    `The secret key in ${name} can't decrypt secrets in this database: ${unopened.join(', ')}. Set PARLEY_SECRET_KEY to the key of the ` +
      'installation. If the key is lost, enter these tokens and secrets again.',
  )
}
