/** Deletes the rows of one workspace from every table, in lists of limited size. */
import type pg from 'pg'
import { quoted } from '../../database/stored-tables.ts'

const MAX_AT_ONCE = 5_000

/**
 * Returns every table with workspace rows, referencing tables before referenced ones so that each row is counted in its own
 * table; jobs last.
 */
export async function tablesToErase(client: pg.ClientBase): Promise<string[]> {
  const tables = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id'
     where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
  )
  const triggers = await client.query<{ parent: string; child: string }>(
    `select t.tgrelid::regclass::text as parent, split_part(encode(t.tgargs, 'escape'), E'\\\\000', 1) as child
     from pg_trigger t join pg_proc p on p.oid = t.tgfoid where p.proname = 'erase_dependents'
       and p.pronamespace = current_schema()::regnamespace`,
  )
  const ordered = new Set<string>()
  const visit = (name: string): void => {
    for (const { parent, child } of triggers.rows)
      if (parent === name && child !== name && !ordered.has(child)) visit(child)
    ordered.add(name)
  }
  for (const { name } of tables.rows) if (name !== 'jobs') visit(name)
  return [...ordered, 'jobs']
}

/** Deletes up to one list of rows and adds their number to the erasure's counts, in one transaction; returns how many. */
export async function eraseBatch(client: pg.ClientBase, table: string, workspaceId: string): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `with gone as (
       delete from ${quoted(table)} t
       using (select tableoid, ctid from ${quoted(table)} where workspace_id = $1 limit ${MAX_AT_ONCE}) listed
       where t.ctid = listed.ctid and t.tableoid = listed.tableoid
       returning 1
     ), counted as (select count(*)::int as count from gone)
     update erasures set records = case when count = 0 then records
       else jsonb_set(records, array[$2::text], (coalesce((records ->> $2)::int, 0) + count)::text::jsonb) end
     from counted where erased_workspace_id = $1 returning count`,
    [workspaceId, table],
  )
  return rows[0]?.count ?? 0
}
