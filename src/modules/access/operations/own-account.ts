/** One rule for what an account is signed in to by: its password, e-mail, second factors and recovery codes. */
import type { Tx } from '../../../core/context.ts'
import { refuse } from '../../../core/errors.ts'
import type { SessionContext } from '../../../core/session.ts'
import { type AccountRow, getAccountForUpdate } from '../queries/accounts.ts'
import { hasPasskeys } from '../queries/passkeys.ts'
import { weakenOtherSessions } from '../queries/sessions.ts'
import { deleteTokensOfAccount } from '../queries/tokens.ts'
import { requireSignedIn } from './read-session.ts'

/**
 * Returns the caller's account, locked, to change how it is signed in to. An account with an authenticator app or a passkey
 * requires a session that showed one of them, or a recovery code: a password, a mailed link or a link of the command line alone
 * changes nothing. Refuses `second_factor_required`.
 */
export async function getOwnCredentials(tx: Tx, ctx: SessionContext): Promise<AccountRow> {
  const { accountId, strong } = requireSignedIn(ctx)
  const account = await getAccountForUpdate(tx, accountId)
  const hasFactor = account.totpSealed !== null || (await hasPasskeys(tx, accountId))
  if (hasFactor && !strong)
    refuse(
      'second_factor_required',
      'Your account has a second factor. Confirm with your passkey, an authenticator code, or a recovery code first.',
    )
  return account
}

/** Ends what was asked for without the new factor: another e-mail that waits for its mailed link. */
export const endOlderRequests = (tx: Tx, accountId: string): Promise<unknown> =>
  deleteTokensOfAccount(tx, accountId, ['email'])

/** Sessions that the removed factor may have made strong show a factor again. */
export const endTrustInFactor = (tx: Tx, ctx: SessionContext): Promise<unknown> => {
  const { accountId, sessionId } = requireSignedIn(ctx)
  return weakenOtherSessions(tx, accountId, sessionId)
}
