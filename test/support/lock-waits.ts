import type { Query } from '../../src/core/context.ts'

/**
 * Returns the locks that connections to `query`'s database wait for, by PostgreSQL's names, sorted: one name
 * for each connection.
 */
export async function lockWaits(query: Query): Promise<string[]> {
  const rows = await query<{ waitEvent: string }>(
    `select wait_event from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database() order by 1`,
  )
  return rows.map(({ waitEvent }) => waitEvent)
}
