import type { Tx } from '../../../core/context.ts'
import { lockEmail } from '../../../core/email-lock.ts'
import { newId } from '../../../core/ids.ts'
import { findAccountByEmail, insertAccount } from '../queries/accounts.ts'

export type NewAccount = {
  email: string
  name: string
  passwordHash?: string
  /** False: whoever makes it has not shown that the e-mail is theirs. */
  emailProven?: boolean
}

/**
 * Makes an account; its e-mail is left out when another account signs in by it. `emailTaken` says so: who must have it
 * refuses then, and the transaction leaves nothing behind.
 */
export async function createAccount(
  tx: Tx,
  { email, name, passwordHash, emailProven = true }: NewAccount,
  now: Date,
): Promise<{ accountId: string; emailTaken: boolean }> {
  const accountId = newId()
  const row = { id: accountId, name, passwordHash: passwordHash ?? null, createdAt: now, emailProven }
  await lockEmail(tx, email)
  const isFree = (await findAccountByEmail(tx, email)) === undefined
  if (isFree && (await insertAccount(tx, { ...row, email })) > 0) return { accountId, emailTaken: false }
  await insertAccount(tx, { ...row, email: null })
  return { accountId, emailTaken: true }
}
