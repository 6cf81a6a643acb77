import {
  CamelCasePlugin,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from 'kysely'
import type { Tx } from '../../core/context.ts'
import { uuids } from './binary-arrays.ts'
import type { Tables } from './tables.ts'

/** The query builder. It only compiles; `ctx.tx` runs the compiled query. A wrong table or column is a compile error. */
export const db = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (kysely) => new PostgresIntrospector(kysely),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
  plugins: [new CamelCasePlugin()],
})

/** Returns the condition that a row's `id` is one of `ids`. Its text is the same for any number of ids. */
export const isOneOf = (ids: readonly string[]) => sql<boolean>`id = any(${uuids(ids)}::uuid[])`

/** Whether a workspace has `max` rows or more. It reads ids, at most `max` of them. */
export const hasAtLeast = async (
  tx: Tx,
  table: 'segments' | 'quickReplies' | 'macros' | 'teams',
  options: { workspaceId: string; max: number },
) =>
  (await tx.first(
    db
      .selectFrom(table)
      .select('id')
      .where('workspaceId', '=', options.workspaceId)
      .orderBy('id')
      .offset(options.max - 1)
      .limit(1),
  )) !== undefined

/** Adds a parameter to a statement and returns its placeholder. */
export type Put = (value: unknown) => string
export function parameters(initial: unknown[]): { values: unknown[]; put: Put } {
  const values = [...initial]
  return { values, put: (value) => `$${values.push(value)}` }
}

/** Returns a value for a jsonb column. */
export const json = (value: unknown): string => JSON.stringify(value)

/**
 * Returns a list of numbers, booleans, or state and reason names (lower-case letters and underscores) as PostgreSQL array text.
 * These need no quoting, so hot paths avoid the driver's slow quoting. For other values: binary-arrays.ts.
 */
export const plainList = (values: readonly (string | number | boolean | null)[]): string =>
  `{${values.map((value) => value ?? 'NULL').join(',')}}`
/** Reads array text that PostgreSQL returns for ids, numbers, and words. A list of a thousand is one value for the driver. */
export const listOf = (text: string | null): (string | null)[] =>
  text === null || text === '{}'
    ? []
    : text
        .slice(1, -1)
        .split(',')
        .map((item) => (item === 'NULL' ? null : item))
/**
 * Returns a condition that looks up a row for each outer row, for uses other than a plain `where … and exists`. For `exists`
 * the planner may hash the whole table, and does so if the table was empty at planning.
 */
export const isFound = (from: string): string => `coalesce((select true ${from} limit 1), false)`

/**
 * Returns the condition that a row's workspace exists and is not paused for a move, for queues that workspaces share. Rows that
 * an erasure has not deleted yet are due forever, and would otherwise come before the rows of other workspaces. In a statement
 * that claims work, the condition is also the fence of a move (docs/decisions/workspace-moves.md).
 */
export const isOfWorkspace = (row: string): string =>
  isFound(`from workspaces own where own.id = ${row}.workspace_id and own.paused_at is null`)

/**
 * Reads the first rows of a queue through the index that has them in order. A plan that was made while the queue is almost
 * empty, and its index still large, would read and sort all waiting rows. So sorting is off during planning.
 */
export async function queryInOrder<Row>(tx: Tx, text: string, values: unknown[]): Promise<Row[]> {
  const [, rows] = await Promise.all([
    tx.sql('set local enable_sort = off'),
    tx.sql<Row>(text, values),
    tx.sql('set local enable_sort = on'),
  ])
  return rows
}

/**
 * Lets the transaction commit before it is on disk. Only for changes that no caller was told about and that are repeated after
 * a crash: any later commit that waits for the disk writes these too.
 */
export const commitInMemory = (tx: Tx): Promise<unknown> =>
  tx.sql(`select set_config('synchronous_commit', 'off', true)`)

/**
 * Returns the parts of a statement that writes rows as JSON records: the columns, their definitions for jsonb_to_recordset, and
 * the columns that an upsert updates: all except `fixed`.
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
 * Returns a query of the workspaces in a table with the first time at which a row of each is due, as `waiting`. It takes one
 * step along the index on `(workspace_id, run_at)` for each workspace.
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

/**
 * A condition that is always true, for an `insert … select` that reads tables and calls stable functions: Citus then reads the
 * rows before it inserts them. It writes such a statement wrongly otherwise (docs/decisions/citus.md).
 */
export const READS_FIRST = 'random() >= 0'
