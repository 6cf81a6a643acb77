// Lists the tables of a database from its own catalog, for code that treats all tables alike.
import type pg from 'pg'

/** A table with its data columns in order; partitions belong to their table. */
export type StoredTable = { name: string; columns: string[]; partitioned: boolean }
/** A partition of a table. `bound` and `partitionBy` are SQL. Parents come before their partitions. */
export type Partition = { name: string; parent: string; bound: string; partitionBy: string | null }
export type Sequence = { name: string; value: string; called: boolean }

/** Returns the tables of the service, without the list of its migrations. */
export async function listStoredTables(client: pg.ClientBase): Promise<StoredTable[]> {
  const { rows } = await client.query<StoredTable>(`
    select c.relname as name, c.relkind = 'p' as partitioned, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname <> 'schema_migrations' and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      -- Transactions of one installation mean nothing in another.
      and a.atttypid <> 'xid8'::regtype
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    group by c.relname, c.relkind
    order by c.relname`)
  return rows
}

/** Returns the partitions of all partitioned tables. */
export async function listPartitions(client: pg.ClientBase): Promise<Partition[]> {
  const { rows } = await client.query<Partition>(`
    select c.relname as name, t.parentrelid::regclass::text as parent, pg_get_expr(c.relpartbound, c.oid) as bound,
           pg_get_partkeydef(c.oid) as "partitionBy"
    from pg_class r cross join lateral pg_partition_tree(r.oid) t join pg_class c on c.oid = t.relid
    where r.relnamespace = current_schema()::regnamespace and r.relkind = 'p' and not r.relispartition and t.level > 0
    order by t.level, c.relname`)
  return rows
}

/** Returns the sequences with their current values. */
export async function listSequences(client: pg.ClientBase): Promise<Sequence[]> {
  const { rows } = await client.query<Sequence>(`
    select sequencename as name, coalesce(last_value, start_value)::text as value, last_value is not null as called
    from pg_sequences where schemaname = current_schema() order by sequencename`)
  return rows
}

/** Quotes a name for SQL. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
