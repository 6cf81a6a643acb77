import { texts } from './binary-arrays.ts'
import type { Tx } from './context.ts'

/** The number of the lock for a thing that is done in a workspace, both given as SQL. */
const lockNumber = (what: string, workspaceId: string): string =>
  `hashtextextended(${what}::text || ' ' || ${workspaceId}::text, 0)`

/**
 * Until the transaction ends nobody else does `what` in the workspace: who asks for the same waits. With `shared` any
 * number do it beside one another, and only who asks for it alone waits for them, and they for that one.
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

/** The same with `shared` in several workspaces, for who must not wait: fails by itself where somebody has it alone. */
export const shareInWorkspaces = (tx: Tx, workspaceIds: string[], what: string): Promise<unknown> =>
  tx.sql(
    `select expect_rows(count(*) filter (where pg_try_advisory_xact_lock_shared(${lockNumber('$2', 'w.id')})), $3)
     from unnest($1::text[]) as w (id)`,
    [texts(workspaceIds), what, workspaceIds.length],
  )

/** Who applies what the operator reported of a workspace has this to itself; so has an erasure, which applies to what came before it. */
export const INTAKE_TURN = 'updates'
