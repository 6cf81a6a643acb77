import type { Query } from '../../src/core/context.ts'

/** What those who wait for a lock in the database of `query` wait for, by PostgreSQL's names, sorted: one for each connection. */
export async function lockWaits(query: Query): Promise<string[]> {
  const rows = await query<{ waitEvent: string }>(
    `select wait_event from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database() order by 1`,
  )
  return rows.map(({ waitEvent }) => waitEvent)
}
