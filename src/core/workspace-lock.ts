import type { Tx } from './context.ts'

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
  tx.sql(
    `select pg_advisory_xact_lock${shared ? '_shared' : ''}(hashtextextended($2::text || ' ' || $1::text, 0))`,
    [workspaceId, what],
  )

/** Who applies what the operator reported of a workspace has this to itself; so has an erasure, which applies to what came before it. */
export const INTAKE_TURN = 'updates'
