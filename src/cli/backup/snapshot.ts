import pg from 'pg'
import { takeMigrationLock } from '../../database/migrate.ts'

/** How values are written and read, whatever the server or its roles are set to. */
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

/** A connection for work on whole tables, which may take hours. */
export async function openForTables(url: string, name: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: `parley ${name}`, keepAlive: true })
  // A lost connection is reported by whatever is asked of it.
  client.on('error', () => {})
  await client.connect()
  await client.query(FORMS)
  return client
}

/**
 * Runs `work` on the database as it is at one moment, while others go on changing it. Migrations wait until it is over, or
 * it for them.
 */
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
