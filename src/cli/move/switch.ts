/** Changes the side on which a workspace lives. Each function is one transaction, or runs in the caller's. */

import type pg from 'pg'
import type { Clock } from '../../core/clock.ts'
import type { Destination } from '../../core/moving.ts'
import { quoted } from '../../database/stored-tables.ts'
import { WITHOUT_TRIGGERS } from './copy-rows.ts'
import { findMoveById, insertMove, type Move, setPhase } from './move-rows.ts'
import { columnList, type MovedTable } from './moved-tables.ts'

/** The row of a workspace, as JSON. */
export type WorkspaceRow = Record<string, unknown>

export async function readWorkspaceRow(
  client: pg.ClientBase,
  workspaceId: string,
): Promise<WorkspaceRow | undefined> {
  const { rows } = await client.query<{ row: WorkspaceRow }>(
    'select to_jsonb(w) as row from workspaces w where id = $1',
    [workspaceId],
  )
  return rows[0]?.row
}

export async function inTransaction<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query('begin')
  try {
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

/**
 * Creates the row of a workspace that arrives, in the transaction that removes its tombstone: at every moment, callbacks are
 * kept. The row is fenced until the switch.
 */
export const beginArrival = (
  client: pg.ClientBase,
  {
    move,
    workspaces: { columns },
    row,
    now,
  }: Omit<Arrival, 'move' | 'cell'> & { move: Parameters<typeof insertMove>[1] },
): Promise<void> =>
  inTransaction(client, async () => {
    const { id, workspaceId } = move
    const arriving = { ...move, direction: 'in', phase: 'loading' } as const
    await client.query(
      `update workspace_moves set phase = 'canceled', ended_at = $3
       where moved_workspace_id = $1 and direction = 'in' and phase = 'loading' and id <> $2`,
      [workspaceId, id, now],
    )
    await client.query('delete from erasures where erased_workspace_id = $1', [workspaceId])
    if (!(await findMoveById(client, arriving))) await insertMove(client, arriving, now)
    await client.query(WITHOUT_TRIGGERS)
    await client.query('delete from workspaces where id = $1', [workspaceId])
    await client.query(
      `insert into workspaces (${columnList(columns)}, paused_at, fenced)
       select ${columnList(columns)}, $2, true from jsonb_populate_record(null::workspaces, $1::jsonb)`,
      [JSON.stringify(row), now],
    )
  })

/** Pauses everything: no transaction of a request begins after the commit. */
export const fence = (client: pg.ClientBase, move: Move, clock: Clock): Promise<void> =>
  inTransaction(client, async () => {
    await setPhase(client, move, { from: ['paused'], to: 'fenced', now: clock.now() })
    await client.query('update workspaces set fenced = true where id = $1', [move.workspaceId])
  })

/** Lets the workspace continue at the source. */
export const resume = (
  client: pg.ClientBase,
  move: Move,
  { from, to, now }: { from: readonly Move['phase'][]; to: 'copying' | 'canceled'; now: Date },
): Promise<void> =>
  inTransaction(client, async () => {
    await setPhase(client, move, { from, to, now })
    await client.query('update workspaces set paused_at = null, fenced = false where id = $1', [
      move.workspaceId,
    ])
  })

export type Arrival = {
  move: Pick<Move, 'id' | 'workspaceId'>
  workspaces: MovedTable
  row: WorkspaceRow
  now: Date
  /** The schema of the new cell, if the connection is in another. */
  cell?: string
}

/** Lets the workspace live in the new cell, in the caller's transaction, without triggers. */
export async function arrive(
  client: pg.ClientBase,
  { move, workspaces: { columns }, row, now, cell }: Arrival,
): Promise<void> {
  const prefix = cell === undefined ? '' : `${quoted(cell)}.`
  const options = cell === undefined ? {} : { cell }
  await setPhase(client, { id: move.id, direction: 'in' }, { from: ['loading'], to: 'live', now, ...options })
  await client.query(
    `update ${prefix}workspaces t set (${columnList(columns)}, paused_at, fenced, moved_to) =
       (select ${columnList(columns)}, null::timestamptz, false, null::jsonb
        from jsonb_populate_record(null::${prefix}workspaces, $1::jsonb))
     where id = $2`,
    [JSON.stringify(row), move.workspaceId],
  )
  // The old cell's processes held the numbers.
  await client.query(
    `update ${prefix}number_lanes set holder = null, leased_until = null where workspace_id = $1`,
    [move.workspaceId],
  )
  await client.query("select pg_notify('parley_changes', $1)", [move.workspaceId])
}

/** Leaves the tombstone at the source, in the caller's transaction. */
export async function leave(
  client: pg.ClientBase,
  move: Move,
  { movedTo, eraseAfter, now }: { movedTo: Destination; eraseAfter: Date; now: Date },
): Promise<void> {
  await setPhase(client, move, { from: ['switching', 'written'], to: 'moved', now })
  await client.query(
    "update workspace_moves set erase_after = $2, moved_to = $3 where id = $1 and direction = 'out'",
    [move.id, eraseAfter, JSON.stringify(movedTo)],
  )
  await client.query('update workspaces set moved_to = $2 where id = $1', [
    move.workspaceId,
    JSON.stringify(movedTo),
  ])
}

/** Both in one transaction, if both cells are in the database of the connection. */
export const switchTogether = (
  client: pg.ClientBase,
  arrival: Arrival,
  leaving: { move: Move; movedTo: Destination; eraseAfter: Date; now: Date },
): Promise<void> =>
  inTransaction(client, async () => {
    await client.query(WITHOUT_TRIGGERS)
    await arrive(client, arrival)
    await client.query('set local session_replication_role = origin')
    await leave(client, leaving.move, leaving)
  })
