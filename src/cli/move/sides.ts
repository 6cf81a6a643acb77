/** The two databases of a move. */
import type pg from 'pg'
import { createSealer, type Sealer } from '../../core/sealing.ts'
import { cellOf } from '../../core/values/cell.ts'
import { requireCell } from '../../database/cells.ts'
import { openForTables } from '../backup/snapshot.ts'

export type Side = {
  url: string
  cell: string
  client: pg.Client
  sealer: Sealer
  close(): Promise<void>
}

/** Opens a side. `secretKey` is the key of its installation. */
export async function openSide(url: string, secretKey: string): Promise<Side> {
  await requireCell(url)
  const client = await openForTables(url, 'move')
  return {
    url,
    cell: cellOf(url),
    client,
    sealer: createSealer(secretKey),
    close: () => client.end(),
  }
}

/** Runs `work` with an open side. */
export async function withSide<T>(
  { url, secretKey }: { url: string; secretKey: string },
  work: (side: Side) => Promise<T>,
): Promise<T> {
  const side = await openSide(url, secretKey)
  try {
    return await work(side)
  } finally {
    await side.close()
  }
}

/** Returns the migrations of the side. */
export const readMigrations = async ({ client }: Side): Promise<string[]> => {
  const exists = await client.query("select to_regclass('schema_migrations') is not null as exists")
  if (!exists.rows[0].exists) return []
  const { rows } = await client.query<{ name: string }>('select name from schema_migrations order by name')
  return rows.map(({ name }) => name)
}

/** Returns whether both sides are in the same database of the same server. */
export async function isSameDatabase(source: Side, target: Side): Promise<boolean> {
  // A lock of one session is visible to all sessions of its database, and only to these.
  const token = Math.floor(Math.random() * 2 ** 31)
  await source.client.query('select pg_advisory_lock($1, $2)', [MOVE_LOCK_CLASS, token])
  try {
    const { rows } = await target.client.query<{ taken: boolean }>(
      'select pg_try_advisory_lock($1, $2) as taken',
      [MOVE_LOCK_CLASS, token],
    )
    if (!rows[0]!.taken) return true
    await target.client.query('select pg_advisory_unlock($1, $2)', [MOVE_LOCK_CLASS, token])
    return false
  } finally {
    await source.client.query('select pg_advisory_unlock($1, $2)', [MOVE_LOCK_CLASS, token])
  }
}

const MOVE_LOCK_CLASS = 7_226_423

/** Lets one command at a time move the workspace. The lock ends with the connection. */
export async function takeMoveLock({ client }: Side, workspaceId: string): Promise<void> {
  const { rows } = await client.query<{ taken: boolean }>(
    'select pg_try_advisory_lock(hashtextextended($1, 0)) as taken',
    [`move ${workspaceId}`],
  )
  if (!rows[0]!.taken) throw new Error('Another command is moving this workspace. Wait until it has ended.')
}
