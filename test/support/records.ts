/** The rows of a workspace in the database, for data that no endpoint shows. */
import type { Tx } from '../../src/core/context.ts'
import type { Body } from './boot.ts'

type Platform = { system<T>(work: (tx: Tx) => Promise<T>): Promise<T> }

export type RecordedEvent = { id: string; name: string; data: Body; createdAt: Date }

/** Returns the workspace's events in the order in which they were announced. */
export const eventsOf = (parley: Platform, workspaceId: string): Promise<RecordedEvent[]> =>
  parley.system((tx) =>
    tx.sql<RecordedEvent>(
      `select id, name, data, created_at from events where workspace_id = $1 and name <> 'screen.changed' order by id`,
      [workspaceId],
    ),
  )

/**
 * Returns, for each table, the number of the workspace's rows and a digest of their contents. Both are equal
 * before and after an operation that must write nothing.
 */
export const everythingOf = (parley: Platform, workspaceId: string): Promise<Record<string, string>> =>
  parley.system(async (tx) => {
    const tables = await tx.sql<{ name: string }>(
      `select c.table_name as name from information_schema.columns c join information_schema.tables t
         on t.table_schema = c.table_schema and t.table_name = c.table_name and t.table_type = 'BASE TABLE'
       where c.table_schema = current_schema() and c.column_name = 'workspace_id'
         -- Counts move from one to the other at any time, and messages are made searchable in the background (column indexed).
         and c.table_name <> all ('{activity_deltas,activity_days,priced_deltas,priced_days,template_deltas,template_days,message_words,message_word_walks,social_message_words}')
       order by 1`,
    )
    const found: Record<string, string> = {}
    for (const { name } of tables) {
      const [row] = await tx.sql<{ rows: number; digest: string }>(
        `select count(*) as rows, md5(coalesce(string_agg(r.text, chr(10) order by r.text), '')) as digest
         from ${name} t cross join lateral (select (to_jsonb(t) - 'indexed')::text as text) r where t.workspace_id = $1`,
        [workspaceId],
      )
      found[name] = `${row!.rows} rows, ${row!.digest}`
    }
    return found
  })

/** The statement of `rowCountsOf`, cached for each database because a test may have added its own tables. */
const countsStatements = new WeakMap<Platform, string>()

async function statementOfCounts(tx: Tx): Promise<string> {
  const tables = await tx.sql<{ name: string }>(
    `select c.table_name::text as name from information_schema.columns c join information_schema.tables t
       on t.table_schema = c.table_schema and t.table_name = c.table_name and t.table_type = 'BASE TABLE'
     where c.table_schema = current_schema() and c.column_name = 'workspace_id'
       and not exists (select from pg_class p where p.relname = c.table_name and p.relispartition) order by 1`,
  )
  return tables
    .map(
      ({ name }) => `select '${name}' as name, count(*)::int4 as count from ${name} where workspace_id = $1`,
    )
    .join(' union all ')
}

/** Returns how many rows of the workspace each table has: cheaper than `everythingOf`. */
export const rowCountsOf = (parley: Platform, workspaceId: string): Promise<Record<string, number>> =>
  parley.system(async (tx) => {
    const statement = countsStatements.get(parley) ?? (await statementOfCounts(tx))
    countsStatements.set(parley, statement)
    const rows = await tx.sql<{ name: string; count: number }>(statement, [workspaceId])
    return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
  })
