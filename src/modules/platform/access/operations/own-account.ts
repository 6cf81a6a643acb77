/**
 * The one rule for changes to how an account signs in: password, email, second factors and recovery codes.
 */

import { later } from '../../../../core/clock.ts'
import type { Tx } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { FRESH_MS, NOT_CONFIRMED, type SessionContext } from '../../../../core/session.ts'
import { type AccountRow, getAccountForUpdate } from '../queries/accounts.ts'
import { hasPasskeys } from '../queries/passkeys.ts'
import { weakenOtherSessions } from '../queries/sessions.ts'
import { deleteTokensOfAccount } from '../queries/tokens.ts'
import { requireSignedIn } from './read-session.ts'

export const hasFactor = async (tx: Tx, account: AccountRow): Promise<boolean> =>
  account.totpSealed !== null || (await hasPasskeys(tx, account.id))

/**
 * Returns the caller's account, locked, to change how it signs in. If the account has an authenticator app or
 * passkey, the session must have used one, or a recovery code. Refuses `second_factor_required` to other
 * sessions.
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

const isConfirmed = (ctx: SessionContext): boolean =>
  later(requireSignedIn(ctx).confirmedAt, FRESH_MS) > ctx.now

/** Refuses `not_confirmed` to a session that signed in or confirmed more than 10 minutes ago. */
export function requireConfirmed(ctx: SessionContext): void {
  if (!isConfirmed(ctx)) refuse('not_confirmed', NOT_CONFIRMED)
}

/**
 * Refuses `not_confirmed` to a session that signed in or confirmed more than 10 minutes ago, unless the account
 * has nothing to confirm with: the first password or passkey is always possible in the session of a link.
 */
export async function requireFreshAfterFirst(
  tx: Tx,
  ctx: SessionContext,
  account: AccountRow,
): Promise<void> {
  if (isConfirmed(ctx)) return
  if (account.passwordHash === null && !(await hasFactor(tx, account))) return
  refuse('not_confirmed', NOT_CONFIRMED)
}

/**
 * Returns the caller's account, locked, to add a factor. Refuses `conflict` until an account created with a
 * shown, not mailed, link proves its email: otherwise an admin could use another person's email and keep a
 * passkey of that account.
 */
export async function getOwnForNewFactor(tx: Tx, ctx: SessionContext): Promise<AccountRow> {
  const account = await getOwnCredentials(tx, ctx)
  await requireFreshAfterFirst(tx, ctx, account)
  if (!account.emailProven && ctx.outside.mailer)
    refuse(
      'conflict',
      'Confirm your e-mail first: sign out, choose "Forgot your password?", and open the mailed link.',
    )
  return account
}

/** Deletes requests made without the new factor: a new email that awaits its confirmation link. */
export const endOlderRequests = (tx: Tx, accountId: string): Promise<unknown> =>
  deleteTokensOfAccount(tx, accountId, ['email'])

/** Makes other sessions use a factor again, because the removed one may have made them strong. */
export const endTrustInFactor = (tx: Tx, ctx: SessionContext): Promise<unknown> => {
  const { accountId, sessionId } = requireSignedIn(ctx)
  return weakenOtherSessions(tx, accountId, sessionId)
}
