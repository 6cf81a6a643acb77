import { join } from 'node:path'
import type pg from 'pg'
import type { Config } from '../config.ts'
import { createSealer } from '../core/sealing.ts'
import { onDatabase } from '../database/on-database.ts'

/** Whether the key opens what is sealed in the database; undefined: nothing is yet. */
export async function opensStored(client: pg.Client, secretKey: string): Promise<boolean | undefined> {
  const { rows } = await client.query<{ sealed: Buffer }>(
    `(select token_sealed as sealed from phone_numbers limit 1)
     union all (select token_sealed from social_accounts where token_sealed is not null limit 1)`,
  )
  if (!rows[0]) return undefined
  try {
    createSealer(secretKey).open(rows[0].sealed)
    return true
  } catch {
    return false
  }
}

/**
 * Says so where the key opens nothing of what is sealed, as one that a second machine has made for itself: each of the two would
 * seal what the other cannot read.
 */
export async function speakOfOtherKey(
  databaseUrl: string,
  { config, secretKey, say }: { config: Config; secretKey: string; say(line: string): void },
): Promise<void> {
  const opens = await onDatabase(databaseUrl, (client) => opensStored(client, secretKey))
  if (opens !== false) return
  const name = config.secretKey === undefined ? join(config.dataDir, 'secret.key') : 'PARLEY_SECRET_KEY'
  say(
    `The secret key in ${name} does not open what this database keeps: operator tokens and webhook secrets cannot be read here. Set ` +
      'PARLEY_SECRET_KEY to the key of the installation. If it is lost, give tokens and secrets anew.',
  )
}
