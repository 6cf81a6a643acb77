// Erases a workspace: its keys first, then its files and rows, in steps that a later run can continue.

import { setTimeout as wait } from 'node:timers/promises'
import type { Selectable } from 'kysely'
import type pg from 'pg'
import { systemClock } from '../../core/clock.ts'
import { listOpenTransactions } from '../../database/open-transactions.ts'
import type { Tables } from '../../database/sql/tables.ts'
import type { MediaStore } from '../../media-store/port.ts'
import { eraseFile } from '../../modules/messaging/media/jobs.ts'
import { keyOf } from '../../modules/messaging/media/operations/store-key.ts'
import { openForTables } from '../backup/snapshot.ts'
import { type ErasureReceipt, signReceipt } from './receipt.ts'
import { eraseBatch, tablesToErase } from './tenant-rows.ts'

export type ErasureRequest = {
  workspaceId: string
  /** The workspace's name, for confirmation. */
  confirm: string
  /** The requester's name, for the receipt. */
  by: string
}

type ErasureRow = Selectable<Tables['erasures']>
type FinishedRow = Pick<ErasureRow, 'startedAt' | 'files' | 'records'> & {
  by: ErasureRow['requestedBy']
  finishedAt: NonNullable<ErasureRow['finishedAt']>
  records: Record<string, number>
}

const POLL_MS = 50
/** By then, every process has heard of a change (docs/growing.md). */
const PROPAGATION_MS = 1_500
const FILES_AT_ONCE = 200

/** Erases the workspace and returns the signed receipt; a second call for an erased workspace returns the same receipt. */
export async function eraseWorkspace(
  databaseUrl: string,
  request: ErasureRequest,
  store: MediaStore,
  secretKey: string,
): Promise<ErasureReceipt> {
  const client = await openForTables(databaseUrl, 'erase')
  try {
    // Nested loops only, so that a list of ids doesn't read the rest of a large table.
    await client.query('set enable_hashjoin = off; set enable_mergejoin = off')
    await closeAccess(client, request)
    await waitForEarlier(client)
    const { workspaceId } = request
    const tables = await tablesToErase(client)
    // Rows that a deletion creates (a count, a job) are deleted in the next round.
    while ((await eraseRound(client, tables, workspaceId, store)) > 0);
    const { rows } = await client.query<FinishedRow>(
      `update erasures set finished_at = coalesce(finished_at, $2) where erased_workspace_id = $1
       returning requested_by as by, started_at as "startedAt", finished_at as "finishedAt", records, files::int`,
      [workspaceId, systemClock.now()],
    )
    const { by, startedAt, finishedAt, records, files } = rows[0]!
    const times = { startedAt: startedAt.toISOString(), finishedAt: finishedAt.toISOString() }
    return signReceipt({ workspaceId, by, ...times, records, files }, secretKey)
  } finally {
    await client.end()
  }
}

/**
 * Removes the workspace itself and its keys, so that no new work starts in it, and records the pending erasure, unless an
 * earlier run did.
 */
async function closeAccess(client: pg.Client, request: ErasureRequest): Promise<void> {
  const { workspaceId, confirm, by } = request
  await client.query('begin')
  try {
    const { rows } = await client.query<Pick<Selectable<Tables['workspaces']>, 'name'>>(
      'select name from workspaces where id = $1 for update',
      [workspaceId],
    )
    const existing = await client.query('select 1 from erasures where erased_workspace_id = $1', [
      workspaceId,
    ])
    if (!rows[0] && existing.rows.length === 0)
      throw new Error(`Workspace ${workspaceId} not found. See "parley workspace list".`)
    if (rows[0] && rows[0].name !== confirm)
      throw new Error(`The workspace's name is "${rows[0].name}", not "${confirm}". Nothing was erased.`)
    if (rows[0]) {
      await client.query(
        `insert into erasures (erased_workspace_id, requested_by, started_at, records) values ($1, $2, $3, '{"workspaces": 1}')`,
        [workspaceId, by, systemClock.now()],
      )
      await client.query('delete from workspaces where id = $1', [workspaceId])
      while ((await eraseBatch(client, 'api_keys', workspaceId)) > 0);
    }
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/** Waits until every process knows of the removal and earlier transactions have ended: PostgreSQL ends ours within a minute. */
async function waitForEarlier(client: pg.Client): Promise<void> {
  await wait(PROPAGATION_MS)
  const earlier = new Set((await listOpenTransactions(client)).map(({ id }) => id))
  while ((await listOpenTransactions(client)).some(({ id }) => earlier.has(id))) await wait(POLL_MS)
}

/** Deletes rows and files until a pass finds none; returns how many it deleted. */
export async function eraseRound(
  client: pg.Client,
  tables: string[],
  workspaceId: string,
  store: MediaStore,
): Promise<number> {
  let erased = 0
  for (const table of tables) {
    for (let deleted = 1; deleted > 0; erased += deleted) {
      // Before the jobs that name the files are deleted, and before many of them fill the shared queue.
      erased += await eraseFiles(client, workspaceId, store)
      deleted = await eraseBatch(client, table, workspaceId)
    }
  }
  return erased
}

/** Runs the jobs that deleted file rows created: the file first, then the job, so that no file is forgotten. */
async function eraseFiles(client: pg.Client, workspaceId: string, store: MediaStore): Promise<number> {
  let erased = 0
  for (;;) {
    const { rows } = await client.query<Pick<Selectable<Tables['jobs']>, 'id'> & { mediaId: string }>(
      `select id, payload ->> 'mediaId' as "mediaId" from jobs where workspace_id = $1 and name = $2 limit $3`,
      [workspaceId, eraseFile.name, FILES_AT_ONCE],
    )
    if (rows.length === 0) return erased
    await Promise.all(rows.map(({ mediaId }) => store.delete(keyOf(workspaceId, mediaId))))
    await client.query(
      `with gone as (delete from jobs where workspace_id = $1 and id = any($2::uuid[]) returning 1)
       update erasures set files = files + (select count(*) from gone) where erased_workspace_id = $1`,
      [workspaceId, rows.map(({ id }) => id)],
    )
    erased += rows.length
  }
}
