import type { Tx } from './context.ts'

/**
 * Until the transaction ends nobody else gives this e-mail to a member or an account, so that who looked whether it is free
 * still knows. Asked for before rows of members are locked.
 */
export const lockEmail = (tx: Tx, email: string): Promise<unknown> =>
  tx.sql("select pg_advisory_xact_lock(hashtextextended('e-mail ' || email_key($1), 0))", [email])
