/**
 * Compares e-mail addresses in the database (`email_key`), for every purpose. JavaScript lower-cases some letters differently,
 * and a limit counted under another key than the account's would not limit anything.
 */
import type { Tx } from '../../core/context.ts'

/** Returns the key of an address, for counts per address. */
export const emailKey = async (tx: Tx, email: string): Promise<string> =>
  (await tx.sql<{ key: string }>('select email_key($1) as key', [email]))[0]!.key

/** Whether two addresses are the same. */
export const isSameEmail = async (tx: Tx, email: string, other: string): Promise<boolean> =>
  (await tx.sql<{ same: boolean }>('select email_key($1) = email_key($2) as same', [email, other]))[0]!.same
