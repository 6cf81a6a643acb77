/**
 * The directory of an installation's cells: a schema of its own, in the database of PARLEY_DIRECTORY_URL or else that of the
 * cells. It has the address of each cell, and the secret with which they ask each other. `parley cell set` keeps it.
 */
import { randomBytes } from 'node:crypto'
import type { Query } from '../core/context.ts'
import { onDatabase } from './on-database.ts'

/** `address` is the web address of the cell's processes, as a proxy and the other cells reach them. */
export type CellAddress = { name: string; address: string }
export type CellDirectory = { cells: CellAddress[]; secret: string }

const SECRET_BYTES = 32
/** Locked while the directory is created, because two commands may do that at the same time. */
const DIRECTORY_LOCK = 7_226_422

const CREATE = `
  create schema if not exists parley_directory;
  create table if not exists parley_directory.cells (name text primary key, address text not null, changed_at timestamptz not null);
  create table if not exists parley_directory.secrets (name text primary key, value text not null);
`

/** Returns the cells with an address, by name; undefined before `parley cell set` created the directory. */
export async function readCellDirectory(query: Query): Promise<CellDirectory | undefined> {
  const [table] = await query<{ exists: boolean }>(
    "select to_regclass('parley_directory.secrets') is not null as exists",
  )
  if (!table?.exists) return undefined
  const [directory] = await query<{ cells: CellAddress[]; secret: string }>(
    `select s.value as secret,
            (select coalesce(jsonb_agg(jsonb_build_object('name', name, 'address', address) order by name), '[]')
             from parley_directory.cells) as cells
     from parley_directory.secrets s where s.name = 'cells'`,
  )
  return directory
}

/** Sets the address of a cell; null removes the cell from the directory, so that proxies send it nothing more. */
export async function setCellAddress(
  databaseUrl: string,
  input: { name: string; address: string | null; now: Date },
): Promise<void> {
  await onDatabase(databaseUrl, async (client) => {
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock($1)', [DIRECTORY_LOCK])
    await client.query(CREATE)
    await client.query(
      "insert into parley_directory.secrets (name, value) values ('cells', $1) on conflict (name) do nothing",
      [randomBytes(SECRET_BYTES).toString('base64url')],
    )
    if (input.address === null)
      await client.query('delete from parley_directory.cells where name = $1', [input.name])
    else
      await client.query(
        `insert into parley_directory.cells (name, address, changed_at) values ($1, $2, $3)
         on conflict (name) do update set address = excluded.address, changed_at = excluded.changed_at`,
        [input.name, input.address, input.now],
      )
    await client.query('commit')
  })
}
