import { texts } from './binary-arrays.ts'
import type { Tx } from './context.ts'

/** Returns the number of the lock for an activity in a workspace, both given as SQL. */
const lockNumber = (what: string, workspaceId: string): string =>
  `hashtextextended(${what}::text || ' ' || ${workspaceId}::text, 0)`

/**
 * Locks the activity `what` in the workspace until the transaction ends; others that request the lock wait. Any number of
 * transactions can have it with `shared`; they and a holder without `shared` wait for each other.
 */
export const lockInWorkspace = (
  tx: Tx,
  workspaceId: string,
  what: string,
  { shared = false } = {},
): Promise<unknown> =>
  tx.sql(`select pg_advisory_xact_lock${shared ? '_shared' : ''}(${lockNumber('$2', '$1')})`, [
    workspaceId,
    what,
  ])

/**
 * Takes the shared lock in several workspaces without waiting: the statement fails if another transaction has it exclusively.
 */
export const shareInWorkspaces = (tx: Tx, workspaceIds: string[], what: string): Promise<unknown> =>
  tx.sql(
    `select expect_rows(count(*) filter (where pg_try_advisory_xact_lock_shared(${lockNumber('$2', 'w.id')})), $3)
     from unnest($1::text[]) as w (id)`,
    [texts(workspaceIds), what, workspaceIds.length],
  )

/** Lock for applying the operator's reports in a workspace. An erasure also takes it, so that it covers all earlier reports. */
export const INTAKE_TURN = 'updates'
