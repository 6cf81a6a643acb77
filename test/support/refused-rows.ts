/** A workspace whose work fails because the database rejects some of its rows. */
import type { TestParley } from './boot.ts'

/**
 * Rejects inserted or updated rows of a table that match `when`, in SQL on `new`, until the returned function
 * is called.
 */
export async function refuseRows(
  parley: TestParley,
  table: string,
  condition: string,
): Promise<() => Promise<unknown>> {
  for (const statement of [
    `create function refuse_${table}() returns trigger language plpgsql as 'begin raise exception ''refused''; end'`,
    `create trigger refuse_${table} before insert or update on ${table} for each row
     when (${condition}) execute function refuse_${table}()`,
  ])
    await parley.system((tx) => tx.sql(statement))
  return () => parley.system((tx) => tx.sql(`drop function refuse_${table} cascade`))
}
