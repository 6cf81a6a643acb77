/** Begins a move between two cells, or finds the one that was interrupted. */
import type { Selectable } from 'kysely'
import { newId } from '../../core/ids.ts'
import type { Destination } from '../../core/moving.ts'
import type { Tables } from '../../database/sql/tables.ts'
import { findMove, insertMove, type Move } from './move-rows.ts'
import type { MoveOptions, Moving } from './moving.ts'
import { requireKey, requireLoadingRight, requireNewProcesses, requireSameVersion } from './side-checks.ts'
import { readMigrations, type Side } from './sides.ts'
import { readWorkspaceRow } from './switch.ts'

/** Throws unless both sides are ready for a move. */
export async function requireReady(options: MoveOptions, source: Side, target: Side): Promise<void> {
  const names = { source: `The cell ${source.cell}`, target: `The cell ${target.cell}` }
  await requireSameVersion(await readMigrations(source), await readMigrations(target), names)
  await requireNewProcesses(source)
  await requireNewProcesses(target)
  await requireLoadingRight(target)
  await requireKey(source, options.source.secretKey, 'The secret key of this installation')
  await requireKey(target, options.target.secretKey, "The secret key of the new cell's installation")
}

/** Finds the unfinished move to this destination, or begins one on both sides. */
export async function openMove({
  options: { workspaceId, files },
  clock,
  source,
  target,
  destination,
}: Pick<Moving, 'options' | 'clock' | 'source' | 'target' | 'destination'>): Promise<Move> {
  const row = await readWorkspaceRow(source.client, workspaceId)
  if (!row) throw new Error(`Workspace ${workspaceId} not found. See "parley workspace list".`)
  const known = await findMove(source.client, workspaceId, 'out')
  if (known && !['canceled', 'erased'].includes(known.phase) && (known.phase !== 'moved' || row.moved_to)) {
    if (isSame(known.movedTo, destination)) return known
    throw new Error(
      known.phase === 'moved'
        ? `The workspace moved to ${known.counterpart}.`
        : `A move to ${known.counterpart} has begun. Finish it with the same flags, or cancel it with --cancel.`,
    )
  }
  if (row.moved_to) throw new Error('The workspace moved to another cell.')
  await requireRoom(target, workspaceId)
  const move = {
    id: newId(),
    direction: 'out' as const,
    workspaceId,
    phase: 'copying' as const,
    counterpart: describe(destination),
    movedTo: destination,
    sharesFiles: files === null,
  }
  await insertMove(source.client, move, clock.now())
  return { ...move, copiedTo: null, eraseAfter: null, fencedAt: null }
}

const isSame = (known: Destination | null, other: Destination): boolean =>
  known?.cell === other.cell && known.address === other.address && known.local === other.local

const describe = ({ cell, address }: Destination): string =>
  address === null ? `the cell ${cell}` : `the cell ${cell} at ${address}`

/** Throws if the new cell has the workspace. Its tombstone there, from an earlier move, doesn't count; its kept callbacks stay. */
export async function requireRoom(
  { client }: Side,
  workspaceId: string,
  name = 'The new cell',
): Promise<void> {
  const { rows } = await client.query<{ left: boolean } & Pick<Selectable<Tables['workspaces']>, 'fenced'>>(
    'select moved_to is not null as left, fenced from workspaces where id = $1',
    [workspaceId],
  )
  const arrived = await findMove(client, workspaceId, 'in')
  // Rows of a move that was interrupted or canceled.
  const isRest = rows[0]?.fenced === true && ['loading', 'canceled'].includes(arrived?.phase ?? '')
  if (rows[0] && !rows[0].left && !isRest)
    throw new Error(`${name} already has a workspace with this id. Nothing was changed.`)
}
