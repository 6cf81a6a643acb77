import type { Tx } from '../../../../core/context.ts'
import { newId } from '../../../../core/ids.ts'
import { lockEmail } from '../../../../database/sql/email-lock.ts'
import { findAccountByEmail, insertAccount } from '../queries/accounts.ts'

export type NewAccount = {
  email: string
  name: string
  passwordHash?: string
  /** False if the creator of the account has not proven that the email is theirs. */
  emailProven?: boolean
}

/**
 * Creates an account. If another account already uses the email, the new account gets none and `emailTaken`
 * is true. A caller that needs the email then throws, which rolls the transaction back.
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
