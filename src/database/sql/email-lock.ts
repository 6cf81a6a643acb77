import type { Tx } from '../../core/context.ts'
import { cellTextLock } from './cell-lock.ts'

/**
 * Locks an e-mail address until the transaction ends, so that no other transaction gives it to a member or an account after
 * this one found it free. Taken before rows of members are locked, to avoid deadlocks.
 */
export const lockEmail = (tx: Tx, email: string): Promise<unknown> =>
  tx.sql(`select pg_advisory_xact_lock(${cellTextLock("'e-mail ' || email_key($1)")})`, [email])
