/** The tables whose rows move with a workspace, and the reasons why others stay (docs/decisions/workspace-moves.md). */
import type pg from 'pg'
import { quoted } from '../../database/stored-tables.ts'
import { SEALED_COLUMNS } from '../../startup/sealed-secrets.ts'

/** A table of a workspace. `key`: the columns that identify a row, besides the workspace, with their types. */
export type MovedTable = {
  name: string
  workspaceColumn: 'workspace_id' | 'id'
  columns: string[]
  key: { name: string; type: string }[]
  /** Columns whose values differ on purpose: secrets sealed with another key, and matched accounts. */
  changed: string[]
}

/** Tables without the workspace's column whose rows are found again in the target, or created. */
export const MATCHED: Record<string, string> = {
  account_identities: 'created with their account',
  accounts: 'belong to people: found by their email address, or created with the password',
  passkeys: 'created with their account',
}

/** Tables whose rows stay, with the reason. */
export const STAYING: Record<string, string> = {
  account_mails: 'emails on their way, which belong to no workspace',
  erasures: 'receipts of this cell',
  kept_callbacks: 'arrived during a move: passed on by background work',
  sessions: 'sign-ins end with a move',
  sign_in_failures: 'counted by address, for a day',
  sign_in_tokens: 'links that work once, for an hour',
  workspace_moves: 'the state of moves of this cell',
}

/** The row of the workspace itself, which is written with the switch. */
export const WORKSPACES = 'workspaces'
/** Its columns that say whether it is paused, fenced, or moved: each side has its own values. */
const STATE_COLUMNS = ['paused_at', 'fenced', 'moved_to', 'clock_mover', 'clock_moved_until']

type Row = { name: string; columns: string[]; key: { name: string; type: string }[] }

/**
 * Returns the tables that move, from the database, so that a new table is not forgotten. Transactions of one server mean nothing
 * in another, so their ids don't move.
 */
export async function listMovedTables(client: pg.ClientBase): Promise<MovedTable[]> {
  const { rows } = await client.query<Row>(`
    select c.relname as name,
           array_agg(a.attname::text order by a.attnum)
             filter (where a.attgenerated = '' and a.atttypid <> 'xid8'::regtype) as columns,
           (select json_agg(json_build_object('name', k.attname, 'type', format_type(k.atttypid, k.atttypmod))
                            order by array_position(i.indkey::int2[], k.attnum))
            from pg_index i join pg_attribute k on k.attrelid = c.oid and k.attnum = any (i.indkey)
            where i.indrelid = c.oid and i.indisprimary) as key
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    group by c.oid, c.relname
    having bool_or(a.attname = 'workspace_id') or c.relname = '${WORKSPACES}'
    order by c.relname`)
  return rows
    .filter(({ name }) => !(name in STAYING))
    .map(({ name, columns, key }) => {
      const workspaceColumn = name === WORKSPACES ? ('id' as const) : ('workspace_id' as const)
      return {
        name,
        workspaceColumn,
        columns: name === WORKSPACES ? columns.filter((column) => !STATE_COLUMNS.includes(column)) : columns,
        key: key.filter((column) => column.name !== workspaceColumn),
        changed: changedColumns(name),
      }
    })
}

/** The sealed columns of a table. */
export const sealedColumns = (table: string): string[] =>
  Object.keys(SEALED_COLUMNS)
    .filter((column) => column.startsWith(`${table}.`))
    .map((column) => column.slice(table.length + 1))

function changedColumns(table: string): string[] {
  if (table === 'members') return ['account_id']
  if (table === 'idempotency_keys') return ['status', 'answer']
  return sealedColumns(table)
}

export const columnList = (columns: readonly string[], of = ''): string =>
  columns.map((column) => of + quoted(column)).join(', ')
