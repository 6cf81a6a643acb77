import {
  CamelCasePlugin,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from 'kysely'
import { uuids } from './binary-arrays.ts'
import type { Tx } from './context.ts'
import type { Tables } from './tables.ts'

/**
 * The query builder: it only compiles; `ctx.tx` runs what it built. A wrong table or column is a
 * compile error.
 */
export const db = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (kysely) => new PostgresIntrospector(kysely),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
  plugins: [new CamelCasePlugin()],
})

/** That a row's `id` is one of `ids`: one text for any number of them. */
export const isOneOf = (ids: readonly string[]) => sql<boolean>`id = any(${uuids(ids)}::uuid[])`

/** Whether `rows` of a workspace are `max` or more: read by their ids, and no further than that. */
export const hasAtLeast = async (
  tx: Tx,
  table: 'segments' | 'quickReplies',
  at: { workspaceId: string; max: number },
) =>
  (await tx.first(
    db
      .selectFrom(table)
      .select('id')
      .where('workspaceId', '=', at.workspaceId)
      .orderBy('id')
      .offset(at.max - 1)
      .limit(1),
  )) !== undefined

/** Parameters of a statement, numbered as they are put in. */
export type Put = (value: unknown) => string
export function parameters(first: unknown[]): { values: unknown[]; put: Put } {
  const values = [...first]
  return { values, put: (value) => `$${values.push(value)}` }
}

/** A value for a jsonb column. */
export const json = (value: unknown): string => JSON.stringify(value)

/**
 * A list of numbers, truths, or names of states and reasons (lower case letters and underscores) as PostgreSQL array text: they
 * hold nothing that needs quoting, so the driver's careful and slow way is spared on hot paths. Others: binary-arrays.ts.
 */
export const plainList = (values: readonly (string | number | boolean | null)[]): string =>
  `{${values.map((value) => value ?? 'NULL').join(',')}}`
/** What such a text holds, as PostgreSQL gives it back for ids, numbers and words: a list of a thousand is one value. */
export const listOf = (text: string | null): (string | null)[] =>
  text === null || text === '{}'
    ? []
    : text
        .slice(1, -1)
        .split(',')
        .map((one) => (one === 'NULL' ? null : one))
/**
 * Whether a row is found, looked up for each row that asks: for an `exists` outside of a plain `where … and exists`. In its
 * place the planner may read a whole table into a hash, and does where that table was empty when it planned.
 */
export const isFound = (from: string): string => `coalesce((select true ${from} limit 1), false)`

/**
 * That the workspace of a row is there, for queues that workspaces share: what an erasure has not come to yet is due at
 * once and for ever, and would stand before everybody else's rows.
 */
export const isOfWorkspace = (row: string): string =>
  isFound(`from workspaces w where w.id = ${row}.workspace_id`)

/**
 * Asks for the first rows of a queue through the index that has them in order. A plan made while the queue is almost empty,
 * and its index still wide from what it held, would rather read all that waits and sort it; the planner is held to the index
 * while it plans this.
 */
export async function askInOrder<Row>(tx: Tx, text: string, values: unknown[]): Promise<Row[]> {
  const [, rows] = await Promise.all([
    tx.sql('set local enable_sort = off'),
    tx.sql<Row>(text, values),
    tx.sql('set local enable_sort = on'),
  ])
  return rows
}

/**
 * Lets the transaction commit before it is on disk. Only for what nobody has been answered about, and what is done anew where a
 * crash takes it away: whatever commits later and is waited for is on disk after it.
 */
export const commitInMemory = (tx: Tx): Promise<unknown> =>
  tx.sql(`select set_config('synchronous_commit', 'off', true)`)

/**
 * The texts of a table whose rows go in as records of JSON: its columns, what jsonb_to_recordset reads them as, and what an
 * upsert writes back, which is all but `fixed`.
 */
export function recordTexts(columnTypes: Record<string, string>, fixed: readonly string[]) {
  const columns = Object.keys(columnTypes)
  return {
    columns: columns.join(', '),
    record: columns.map((column) => `${column} ${columnTypes[column]}`).join(', '),
    writtenBack: columns
      .filter((column) => !fixed.includes(column))
      .map((column) => `${column} = excluded.${column}`)
      .join(', '),
  }
}

/**
 * A table's workspaces with the first moment at which something of each may run, as `waiting`: a step along the index on
 * `(workspace_id, run_at)` for each.
 */
export const waitingWorkspaces = (table: string): string =>
  `with recursive waiting as (
     select '00000000-0000-0000-0000-000000000000'::uuid as workspace_id, 'infinity'::timestamptz as run_at
     union all
     select next.workspace_id, next.run_at
     from waiting cross join lateral (
       select u.workspace_id, u.run_at from ${table} u
       where u.failed_at is null and u.workspace_id > waiting.workspace_id order by u.workspace_id, u.run_at limit 1
     ) next
   )`
