import type { Selectable } from 'kysely'
import type pg from 'pg'
import { MINUTE_MS, systemClock } from '../core/clock.ts'
import type { Tables } from '../database/sql/tables.ts'
import { type Check, failed, ok, warning } from './doctor-check.ts'

type MoveRow = Selectable<Tables['workspaceMoves']>
type UnfinishedMove = Pick<MoveRow, 'direction' | 'phase' | 'counterpart' | 'startedAt'> & {
  workspaceId: MoveRow['movedWorkspaceId']
}

/** A pause takes about a second. */
const LONG_PAUSE_MS = MINUTE_MS

/** Finds moves of workspaces that a command began and did not finish, and callbacks that could not be passed on. */
export async function checkMoves(client: pg.ClientBase): Promise<Check[]> {
  const { rows } = await client.query<UnfinishedMove>(
    `select moved_workspace_id as "workspaceId", direction, phase, counterpart, coalesce(fenced_at, started_at) as "startedAt"
     from workspace_moves where phase not in ('live', 'moved', 'erased', 'canceled') order by started_at`,
  )
  const aside = await client.query<{ count: number }>(
    'select count(*)::int as count from kept_callbacks where failed_at is not null',
  )
  const { count } = aside.rows[0]!
  const checks = rows.map(describeMove)
  if (count > 0)
    checks.push(
      warning(
        'moves',
        `${count} callbacks of moved workspaces could not be passed on. kept_callbacks has the reason in last_error`,
      ),
    )
  return checks.length > 0 ? checks : [ok('moves', 'no workspace is moving')]
}

function describeMove({ workspaceId, direction, phase, counterpart, startedAt }: UnfinishedMove): Check {
  const since = `(${phase} since ${startedAt.toISOString()})`
  if (direction === 'in')
    return warning('moves', `workspace ${workspaceId} is arriving from ${counterpart} ${since}`)
  const isPaused = ['fenced', 'switching', 'written'].includes(phase)
  const isLong = systemClock.now().getTime() - startedAt.getTime() > LONG_PAUSE_MS
  const detail = `workspace ${workspaceId} is moving to ${counterpart} ${since}`
  if (isPaused && isLong)
    return failed(
      'moves',
      `${detail}, and is paused. Run "parley workspace move" again with the same flags, or with --cancel`,
    )
  return warning('moves', detail)
}
