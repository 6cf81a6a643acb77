import type { Tx } from '../../core/context.ts'
import { texts } from './binary-arrays.ts'

/** Returns the number of the lock for an activity in a workspace, both given as SQL. */
const lockNumber = (activity: string, workspaceId: string): string =>
  `hashtextextended(${activity}::text || ' ' || ${workspaceId}::text, 0)`

/**
 * Locks the `activity` in the workspace until the transaction ends; others that request the lock wait. Any number of
 * transactions can have it with `shared`; they and a holder without `shared` wait for each other.
 */
export const lockInWorkspace = (
  tx: Tx,
  workspaceId: string,
  activity: string,
  { shared = false } = {},
): Promise<unknown> =>
  tx.sql(`select pg_advisory_xact_lock${shared ? '_shared' : ''}(${lockNumber('$2', '$1')})`, [
    workspaceId,
    activity,
  ])

/**
 * Takes the shared lock in several workspaces without waiting: the statement fails if another transaction has it exclusively.
 */
export const shareInWorkspaces = (tx: Tx, workspaceIds: string[], activity: string): Promise<unknown> =>
  tx.sql(
    `select expect_rows(count(*) filter (where pg_try_advisory_xact_lock_shared(${lockNumber('$2', 'w.id')})), $3)
     from unnest($1::text[]) as w (id)`,
    [texts(workspaceIds), activity, workspaceIds.length],
  )

/** Lock for applying the operator's reports in a workspace. An erasure also takes it, so that it covers all earlier reports. */
export const INTAKE_TURN = 'updates'
