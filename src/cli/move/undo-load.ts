/** Deletes what has arrived of a workspace that does not live here yet. */
import type pg from 'pg'
import type { Clock } from '../../core/clock.ts'
import { findMoveById, type Move, setPhase } from './move-rows.ts'
import { listMovedTables, type MovedTable } from './moved-tables.ts'
import { clearTarget } from './rounds.ts'
import type { Side } from './sides.ts'

/** Makes sure that the workspace is never received by this move, and deletes its rows. */
export async function cancelArrival(
  client: pg.Client,
  {
    move: { id, workspaceId },
    tables,
    now,
  }: { move: Pick<Move, 'id' | 'workspaceId'>; tables: readonly MovedTable[]; now: Date },
): Promise<void> {
  await setPhase(client, { id, direction: 'in' }, { from: ['loading'], to: 'canceled', now })
  await clearTarget(client, tables, workspaceId)
  await client.query('delete from workspaces where id = $1 and fenced', [workspaceId])
}

/** Does the same for a file that did not load completely, and forgets the move: the file can be loaded again. */
export async function undoLoad(
  { client }: Pick<Side, 'client'>,
  move: Pick<Move, 'id' | 'workspaceId'>,
  clock: Clock,
): Promise<void> {
  const arriving = await findMoveById(client, { id: move.id, direction: 'in' })
  if (arriving?.phase !== 'loading') return
  await cancelArrival(client, { move, tables: await listMovedTables(client), now: clock.now() })
  await forgetCanceled(client, move)
}

/** Deletes the row of a canceled load, so that its file can be loaded. */
export const forgetCanceled = (client: pg.Client, { id }: Pick<Move, 'id'>): Promise<unknown> =>
  client.query("delete from workspace_moves where id = $1 and direction = 'in' and phase = 'canceled'", [id])
