import type { TestParley } from './boot.ts'

/** Returns the number of deadlocks so far in the database of `parley`, from PostgreSQL's own counter. */
export async function deadlocksIn(parley: TestParley): Promise<number> {
  const [counted] = await parley.system((tx) =>
    tx.sql<{ deadlocks: number }>(
      'select deadlocks::int from pg_stat_database where datname = current_database()',
    ),
  )
  return counted!.deadlocks
}
