/** Statements on the moves of workspaces (docs/decisions/workspace-moves.md). */
import type { Selectable } from 'kysely'
import type pg from 'pg'
import type { Destination } from '../../core/moving.ts'
import type { Tables } from '../../database/sql/tables.ts'
import { quoted } from '../../database/stored-tables.ts'

/** Phases at the old cell ('out') and at the new one ('in'). */
export type OutPhase =
  | 'copying'
  | 'paused'
  | 'fenced'
  | 'switching'
  | 'written'
  | 'moved'
  | 'erased'
  | 'canceled'
export type InPhase = 'loading' | 'live' | 'canceled'
export type Phase = OutPhase | InPhase

type MoveRow = Selectable<Tables['workspaceMoves']>

export type Move = Pick<
  MoveRow,
  'id' | 'counterpart' | 'sharesFiles' | 'copiedTo' | 'eraseAfter' | 'fencedAt'
> &
  Pick<MoveRow, 'direction' | 'phase' | 'movedTo'> & {
    direction: 'out' | 'in'
    phase: Phase
    movedTo: Destination | null
    workspaceId: MoveRow['movedWorkspaceId']
  }

const COLUMNS = `id, direction, moved_workspace_id as "workspaceId", phase, counterpart, moved_to as "movedTo",
  shares_files as "sharesFiles", copied_to as "copiedTo", erase_after as "eraseAfter", fenced_at as "fencedAt"`

/** Returns the latest move of a workspace in this direction, even if it has ended. */
export async function findMove(
  client: pg.ClientBase,
  workspaceId: string,
  direction: Move['direction'],
): Promise<Move | undefined> {
  const { rows } = await client.query<Move>(
    `select ${COLUMNS} from workspace_moves where moved_workspace_id = $1 and direction = $2
     order by started_at desc, id desc limit 1`,
    [workspaceId, direction],
  )
  return rows[0]
}

/** The other side of a move by a file. */
export const fileAsCounterpart = (path: string): string => `the file ${path}`

/** Returns the move of a workspace that loads from a file here, if one has not ended. */
export async function findLoading(client: pg.ClientBase, workspaceId: string): Promise<Move | undefined> {
  const move = await findMove(client, workspaceId, 'in')
  return move?.phase === 'loading' && move.counterpart.startsWith(fileAsCounterpart('')) ? move : undefined
}

/** Returns the latest move of a workspace from this cell; throws if it has ended without a move, or after the erasure. */
export async function requireUnfinished(client: pg.ClientBase, workspaceId: string): Promise<Move> {
  const move = await findMove(client, workspaceId, 'out')
  if (!move || ['canceled', 'erased'].includes(move.phase))
    throw new Error('This workspace has no unfinished move from this cell.')
  return move
}

/** Returns the state of a move that both sides know by this id. */
export async function findMoveById(
  client: pg.ClientBase,
  { id, direction }: Pick<Move, 'id' | 'direction'>,
): Promise<Move | undefined> {
  const { rows } = await client.query<Move>(
    `select ${COLUMNS} from workspace_moves where id = $1 and direction = $2`,
    [id, direction],
  )
  return rows[0]
}

export const insertMove = (
  client: pg.ClientBase,
  move: Pick<Move, 'id' | 'direction' | 'workspaceId' | 'phase' | 'counterpart' | 'movedTo' | 'sharesFiles'>,
  now: Date,
): Promise<unknown> =>
  client.query(
    `insert into workspace_moves (id, direction, moved_workspace_id, phase, counterpart, moved_to, shares_files, started_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      move.id,
      move.direction,
      move.workspaceId,
      move.phase,
      move.counterpart,
      JSON.stringify(move.movedTo),
      move.sharesFiles,
      now,
    ],
  )

/**
 * Changes the phase of a move, if it is one of `from`; throws otherwise, because another command has changed it.
 * `cell`: the schema of the table, for a statement in another cell of the database.
 */
export async function setPhase(
  client: pg.ClientBase,
  move: Pick<Move, 'id' | 'direction'>,
  { from, to, now, cell }: { from: readonly Phase[]; to: Phase; now: Date; cell?: string },
): Promise<void> {
  const table = cell === undefined ? 'workspace_moves' : `${quoted(cell)}.workspace_moves`
  const { rowCount } = await client.query(
    `update ${table} set phase = $4,
       fenced_at = case when $4 = 'fenced' then $5 else fenced_at end,
       ended_at = case when $4 = any ('{moved,live,canceled}') then $5 else ended_at end
     where id = $1 and direction = $2 and phase = any ($3::text[])`,
    [move.id, move.direction, from, to, now],
  )
  if (rowCount !== 1)
    throw new Error('Another command has changed the state of this move. Run the command again.')
}

/** Stores up to which transaction (xid8) the rows are copied. */
export const setCopiedTo = (client: pg.ClientBase, { id }: Pick<Move, 'id'>, copiedTo: string) =>
  client.query("update workspace_moves set copied_to = $2 where id = $1 and direction = 'out'", [
    id,
    copiedTo,
  ])
