import type { Query } from '../core/context.ts'
import { DatabaseClient } from './client.ts'
import { poolerConnectQuery, poolerSettings } from './pool.ts'

/**
 * Throws if a pooler's server connections lack our settings. An Idempotency-Key becomes free after two
 * minutes: a statement that may run longer could commit concurrently with its own retry (spec 4.1.1).
 */
export async function requirePoolerSettings(query: Query, cell: string): Promise<void> {
  const expected = poolerSettings(cell)
  const settings = await query<{ name: string; setting: string }>(
    'select name, setting from pg_settings where name = any($1)',
    [Object.keys(expected)],
  )
  const wrongNames = settings
    .filter(({ name, setting }) => String(expected[name]) !== setting)
    .map(({ name }) => name)
  if (wrongNames.length > 0)
    throw new Error(
      `PARLEY_LISTEN_DATABASE_URL is set, so DATABASE_URL must be a pooler. Its connections don't have ${wrongNames.join(', ')}. ` +
        `Add this to the database's line in the pooler's configuration: connect_query='${poolerConnectQuery(cell)}'`,
    )
}

const PROBES = 4
const NAMED_STATEMENT = { name: 'parley_probe', text: 'select 1' }
/** PostgreSQL's codes for a duplicate and for an unknown statement name. */
const NAME_CONFLICTS = ['42P05', '26000']

/**
 * Throws if the pooler at `url` passes named statements on unchanged: then another client may find the name
 * taken, or missing, on its server connection.
 */
export async function requireNamedStatements(url: string): Promise<void> {
  for (let probe = 0; probe < PROBES; probe++) {
    const client = new DatabaseClient({ connectionString: url, connectionTimeoutMillis: 2_000 })
    await client.connect()
    try {
      await client.query(NAMED_STATEMENT)
      await client.query(NAMED_STATEMENT)
    } catch (error) {
      if (!NAME_CONFLICTS.includes(String((error as { code?: unknown }).code))) throw error
      throw new Error(
        "PARLEY_NAMED_STATEMENTS is on, but the pooler of DATABASE_URL doesn't support named statements. " +
          'PgBouncer supports them since 1.21 with max_prepared_statements above 0. Set PARLEY_NAMED_STATEMENTS to off until then.',
      )
    } finally {
      await client.end()
    }
  }
}
