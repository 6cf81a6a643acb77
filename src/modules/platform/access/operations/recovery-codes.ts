/** Recovery codes. Each signs in once, instead of an authenticator app or a passkey that is not available. */
import type { Tx } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import type { SessionContext } from '../../../../core/session.ts'
import { type AccountRow, getAccountForUpdate, updateAccountRow } from '../queries/accounts.ts'
import { getOwnCredentials, hasFactor } from './own-account.ts'
import { requireSignedIn } from './read-session.ts'
import { recordAccess } from './record-access.ts'
import { newRecoveryCodes } from './totp.ts'

/**
 * Creates an account's recovery codes with its first factor. Returns undefined if the account already has
 * codes.
 */
export async function createFirstCodes(tx: Tx, account: AccountRow): Promise<string[] | undefined> {
  if (account.recoveryHashes.length > 0) return undefined
  const { codes, hashes } = newRecoveryCodes()
  await updateAccountRow(tx, account.id, { recoveryHashes: hashes })
  return codes
}

/** Replaces the codes of the caller's account. Refuses `conflict` without a second factor. */
export async function replaceRecoveryCodes(ctx: SessionContext): Promise<string[]> {
  const { accountId } = requireSignedIn(ctx)
  const { codes, hashes } = newRecoveryCodes()
  await ctx.transaction(async (tx) => {
    const account = await getOwnCredentials(tx, ctx)
    if (!(await hasFactor(tx, account))) refuse('conflict', 'Set up an authenticator app or a passkey first.')
    await updateAccountRow(tx, accountId, { recoveryHashes: hashes })
    await recordAccess(tx, accountId, ctx.now, 'recovery codes replaced')
  })
  return codes
}

/** Deletes an account's codes after its last factor was removed, because codes only replace a factor. */
export async function deleteUnusedCodes(tx: Tx, accountId: string): Promise<void> {
  const account = await getAccountForUpdate(tx, accountId)
  if (!(await hasFactor(tx, account))) await updateAccountRow(tx, accountId, { recoveryHashes: [] })
}
