import type { TestParley } from './boot.ts'

/** How many deadlocks there have been so far in the database of `parley`, as PostgreSQL counts them. */
export async function deadlocksIn(parley: TestParley): Promise<number> {
  const [counted] = await parley.system((tx) =>
    tx.sql<{ deadlocks: number }>(
      'select deadlocks::int from pg_stat_database where datname = current_database()',
    ),
  )
  return counted!.deadlocks
}
