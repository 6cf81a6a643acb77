/** Cancels moves before the switch: the workspace continues at the source. */
import type { Clock } from '../../core/clock.ts'
import { findLoading, findMoveById, type Move, requireUnfinished } from './move-rows.ts'
import { listTables } from './side-checks.ts'
import { type Side, takeMoveLock, withSide } from './sides.ts'
import { readWorkspaceRow, resume } from './switch.ts'
import { cancelArrival, undoLoad } from './undo-load.ts'

type Place = { url: string; secretKey: string }

export type CancelOptions = {
  workspaceId: string
  source: Place
  /** The new cell, whose copy is deleted; undefined if it can't be reached, or for a file. */
  target: Place | undefined
  /** The workspace's name, which confirms that a written file was not loaded. */
  confirm: string | undefined
  clock: Clock
}

/** Cancels a move before its switch: the workspace continues at the source. Where it loads from a file, deletes what has arrived. */
export const cancelMove = (options: CancelOptions): Promise<{ workspaceId: string; canceled: true }> =>
  withSide(options.source, async (source) => {
    const { workspaceId, target, clock } = options
    await takeMoveLock(source, workspaceId)
    const loading = await findLoading(source.client, workspaceId)
    if (loading) {
      await undoLoad(source, loading, clock)
      return { workspaceId, canceled: true }
    }
    const move = await requireUnfinished(source.client, workspaceId)
    if (move.phase === 'moved')
      throw new Error(
        'The workspace has moved. To move it back, run "parley workspace move" in the new cell.',
      )
    if (move.phase === 'written') await requireConfirmation(source, options)
    if (move.phase === 'switching' && target === undefined)
      throw new Error('The new cell may have the workspace. Give its flags too, so that this can be checked.')
    if (target) await withSide(target, (side) => deleteCopy(source, side, move, clock))
    const from = ['copying', 'paused', 'fenced', 'switching', 'written'] as const
    await resume(source.client, move, { from, to: 'canceled', now: clock.now() })
    return { workspaceId, canceled: true }
  })

async function requireConfirmation(
  source: Side,
  { workspaceId, confirm }: Pick<CancelOptions, 'workspaceId' | 'confirm'>,
): Promise<void> {
  const row = await readWorkspaceRow(source.client, workspaceId)
  if (confirm === row?.name) return
  throw new Error(
    `The file of this move may have been loaded elsewhere, and two copies would send everything twice. ` +
      `Delete the file, then confirm with --confirm "${String(row?.name)}".`,
  )
}

/** Makes sure that the new cell never receives the workspace, and deletes what it has of it. */
async function deleteCopy(source: Side, target: Side, move: Move, clock: Clock): Promise<void> {
  const arrival = { id: move.id, direction: 'in' as const }
  const arrived = await findMoveById(target.client, arrival)
  if (!arrived || arrived.phase === 'canceled') return
  if (arrived.phase === 'live')
    throw new Error('The new cell has the workspace. Run the command without --cancel to finish the move.')
  await cancelArrival(target.client, { move, tables: await listTables(source, target), now: clock.now() })
}
