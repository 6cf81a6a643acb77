import type { Query } from '../core/context.ts'
import { POOLER_CONNECT_QUERY, POOLER_SETTINGS } from './pool.ts'

/**
 * Throws when a pooler's connections to the server lack our settings. An Idempotency-Key is free again after two minutes: a
 * statement that may run for longer would commit beside its own retry (spec 4.1.1).
 */
export async function requirePoolerSettings(query: Query): Promise<void> {
  const found = await query<{ name: string; setting: string }>(
    'select name, setting from pg_settings where name = any($1)',
    [Object.keys(POOLER_SETTINGS)],
  )
  const wanted: Record<string, string | number> = POOLER_SETTINGS
  const wrong = found.filter(({ name, setting }) => String(wanted[name]) !== setting).map(({ name }) => name)
  if (wrong.length > 0)
    throw new Error(
      `PARLEY_LISTEN_DATABASE_URL says that DATABASE_URL leads to a pooler, but its connections lack ${wrong.join(', ')}. ` +
        `Put this beside the database in the pooler's configuration: connect_query='${POOLER_CONNECT_QUERY}'`,
    )
}
