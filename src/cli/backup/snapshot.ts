import type pg from 'pg'
import { DatabaseClient } from '../../database/client.ts'
import { takeMigrationLock } from '../../database/migrate.ts'

/** Fixes how values are written and read, independent of settings of the server or its roles. */
const FORMS = [
  "set client_encoding = 'UTF8'",
  "set datestyle = 'ISO'",
  "set intervalstyle = 'postgres'",
  "set timezone = 'UTC'",
  'set extra_float_digits = 3',
  "set bytea_output = 'hex'",
  'set statement_timeout = 0',
  'set lock_timeout = 0',
  'set idle_in_transaction_session_timeout = 0',
].join('; ')

/** Opens a connection for work on whole tables, which may take hours. */
export async function openForTables(url: string, name: string): Promise<pg.Client> {
  const client = new DatabaseClient({
    connectionString: url,
    application_name: `parley ${name}`,
    keepAlive: true,
  })
  await client.connect()
  await client.query(FORMS)
  return client
}

/** Runs `work` on a snapshot of the database, while others keep changing it. Migrations and snapshots wait for each other. */
export async function inSnapshot<T>(
  url: string,
  name: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = await openForTables(url, name)
  try {
    await takeMigrationLock(client, '_shared')
    await client.query('begin isolation level repeatable read read only')
    // The first statement takes the snapshot.
    await client.query('select 1')
    return await work(client)
  } finally {
    await client.end()
  }
}
