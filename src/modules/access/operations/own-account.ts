/** One rule for what an account is signed in to by: its password, e-mail, second factors and recovery codes. */
import type { Tx } from '../../../core/context.ts'
import { refuse } from '../../../core/errors.ts'
import type { SessionContext } from '../../../core/session.ts'
import { type AccountRow, getAccountForUpdate } from '../queries/accounts.ts'
import { hasPasskeys } from '../queries/passkeys.ts'
import { weakenOtherSessions } from '../queries/sessions.ts'
import { deleteTokensOfAccount } from '../queries/tokens.ts'
import { requireSignedIn } from './read-session.ts'

export const hasFactor = async (tx: Tx, account: AccountRow): Promise<boolean> =>
  account.totpSealed !== null || (await hasPasskeys(tx, account.id))

/**
 * Returns the caller's account, locked, to change how it is signed in to. An account with an authenticator app or a passkey
 * requires a session that showed one of them, or a recovery code: a password, a mailed link or a link of the command line alone
 * changes nothing. Refuses `second_factor_required`.
 */
export async function getOwnCredentials(tx: Tx, ctx: SessionContext): Promise<AccountRow> {
  const { accountId, strong } = requireSignedIn(ctx)
  const account = await getAccountForUpdate(tx, accountId)
  if (!strong && (await hasFactor(tx, account)))
    refuse(
      'second_factor_required',
      'Your account has a second factor. Confirm with your passkey, an authenticator code, or a recovery code first.',
    )
  return account
}

/**
 * The same, to add a factor. An account made by a link that was shown, not mailed, proves its e-mail first: otherwise an
 * admin could make an account of a stranger's e-mail and keep a passkey of it. Refuses `conflict`.
 */
export async function getOwnForNewFactor(tx: Tx, ctx: SessionContext): Promise<AccountRow> {
  const account = await getOwnCredentials(tx, ctx)
  if (!account.emailProven && ctx.outside.mailer)
    refuse(
      'conflict',
      'Confirm your e-mail first: sign out, choose "Forgot your password?", and open the mailed link.',
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
