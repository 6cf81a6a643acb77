import type pg from 'pg'

/** A transaction of a process. The id differs between two transactions of one connection. */
export type OpenTransaction = { id: string; pid: number }

/** Returns the running transactions of all processes of the database. */
export async function listOpenTransactions(client: pg.ClientBase): Promise<OpenTransaction[]> {
  const { rows } = await client.query<OpenTransaction>(
    `select pid, pid || ' ' || xact_start as id from pg_stat_activity
     where datname = current_database() and application_name like any (array['parley tenant%', 'parley system%']) and xact_start is not null`,
  )
  return rows
}
