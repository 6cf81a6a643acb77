/**
 * What makes two e-mail addresses one. The database computes it for everything that compares addresses (`email_key`): JavaScript
 * lower-cases some letters differently, and a limit that counts under another key than that of the account found is none.
 */
import type { Tx } from './context.ts'

/** The key of an address: for what is counted by it. */
export const emailKey = async (tx: Tx, email: string): Promise<string> =>
  (await tx.sql<{ key: string }>('select email_key($1) as key', [email]))[0]!.key

/** Whether two addresses are one. */
export const isSameEmail = async (tx: Tx, one: string, other: string): Promise<boolean> =>
  (await tx.sql<{ same: boolean }>('select email_key($1) = email_key($2) as same', [one, other]))[0]!.same
