/** Recovery codes: each signs in once, in place of an authenticator app or a passkey that isn't at hand. */
import type { Tx } from '../../../core/context.ts'
import { refuse } from '../../../core/errors.ts'
import type { SessionContext } from '../../../core/session.ts'
import { type AccountRow, getAccountForUpdate, updateAccountRow } from '../queries/accounts.ts'
import { getOwnCredentials, hasFactor } from './own-account.ts'
import { requireSignedIn } from './read-session.ts'
import { recordAccess } from './record-access.ts'
import { newRecoveryCodes } from './totp.ts'

/** Gives an account its codes with its first factor; undefined when it has some already. */
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

/** Deletes the codes of an account whose last factor was removed: they stand in for one. */
export async function deleteUnusedCodes(tx: Tx, accountId: string): Promise<void> {
  const account = await getAccountForUpdate(tx, accountId)
  if (!(await hasFactor(tx, account))) await updateAccountRow(tx, accountId, { recoveryHashes: [] })
}
