/** Changes to a person's own account, and the confirmation that they are still there. */
import { refuse } from '../../../../core/errors.ts'
import type { NewSession, SessionContext } from '../../../../core/session.ts'
import type { Language } from '../../../../core/values/languages.ts'
import { type AccountRow, getAccount, getAccountForUpdate, updateAccountRow } from '../queries/accounts.ts'
import { deleteTokensOfAccount } from '../queries/tokens.ts'
import { changeEmail } from './change-email.ts'
import { revokeOtherSessions } from './end-sessions.ts'
import { getOwnCredentials, requireConfirmed, requireFreshAfterFirst } from './own-account.ts'
import { confirmByPasskey } from './passkeys.ts'
import { hashPassword, isPassword } from './password-hash.ts'
import { requireGoodPassword } from './password-rules.ts'
import { requireSignedIn } from './read-session.ts'
import { recordAccess, recordRefusal } from './record-access.ts'
import { tryCode } from './second-factor.ts'
import { beginAttempt, countAtAddress, passwordAttempt, succeed } from './sign-in-limits.ts'
import { renewSession } from './start-session.ts'

export type AccountPatch = {
  name?: string | undefined
  email?: string | undefined
  password?: string | undefined
  /** Null for the language of the workspace. */
  language?: Language | null | undefined
}

export type ChangedAccount = {
  session: NewSession | undefined
  /** The new email, until the person opens the confirmation link that was mailed to it. */
  confirm: string | undefined
}

/**
 * Changes name, email or password. No other account may use the new email; if this installation sends mail,
 * the new email counts only after its confirmation link is opened. A new password ends every other session
 * and gives this one a new token.
 */
export async function changeAccount(ctx: SessionContext, patch: AccountPatch): Promise<ChangedAccount> {
  const { accountId, sessionId, strong } = requireSignedIn(ctx)
  const { name, email, password, language } = patch
  const before = await ctx.transaction((tx) => getAccount(tx, accountId))
  if (password !== undefined) requireGoodPassword(password, [email ?? before.email, name ?? before.name])
  const passwordHash = password === undefined ? undefined : await hashPassword(password)
  return ctx.transaction(async (tx) => {
    const isCredential = password !== undefined || (email !== undefined && email !== before.email)
    const account = isCredential ? await getOwnCredentials(tx, ctx) : await getAccountForUpdate(tx, accountId)
    if (password !== undefined) await requireFreshAfterFirst(tx, ctx, account)
    else if (name !== undefined || email !== undefined) requireConfirmed(ctx)
    await updateAccountRow(tx, accountId, {
      name: name ?? account.name,
      passwordHash: passwordHash ?? account.passwordHash,
      language: language === undefined ? account.language : language,
    })
    // An attacker with the old password may have requested these tokens.
    if (passwordHash !== undefined) await deleteTokensOfAccount(tx, accountId, ['reset', 'totp', 'email'])
    const confirm = email === undefined ? undefined : await changeEmail(tx, ctx, account, email)
    if (passwordHash === undefined) return { session: undefined, confirm }
    const because = 'your password was changed.'
    await revokeOtherSessions(tx, { accountId, except: sessionId }, { now: ctx.now, because })
    await recordAccess(tx, accountId, ctx.now, 'password changed')
    return { session: await renewSession(tx, sessionId, { now: ctx.now, strong }), confirm }
  })
}

export type Confirmation = { password: string } | { code: string } | { ticket: string; response: unknown }

const WRONG = 'This code, password, or passkey is wrong. Try again.'

/**
 * Confirms that the person is still there, which allows protected changes for ten minutes. Returns a new
 * token for the session.
 */
export async function confirm(ctx: SessionContext, confirmation: Confirmation): Promise<NewSession> {
  const { accountId, sessionId } = requireSignedIn(ctx)
  const isStrong = 'code' in confirmation || 'response' in confirmation
  if ('response' in confirmation) await confirmByPasskey(ctx, confirmation)
  else {
    const account = await ctx.transaction((tx) => getAccount(tx, accountId))
    const isRight =
      'password' in confirmation
        ? await confirmsPassword(ctx, account, confirmation.password)
        : await confirmsCode(ctx, accountId, confirmation.code)
    if (!isRight) refuse('sign_in_refused', WRONG)
  }
  return ctx.transaction((tx) => renewSession(tx, sessionId, { now: ctx.now, strong: isStrong }))
}

/** Counts a wrong password as a failed sign-in, so that a stolen cookie can't be used to guess passwords. */
async function confirmsPassword(
  ctx: SessionContext,
  account: AccountRow,
  password: string,
): Promise<boolean> {
  const { attempt, failures } = await ctx.transaction(async (tx) => {
    const attempt = await passwordAttempt(tx, account.email ?? account.id, ctx.sender)
    await countAtAddress(tx, ctx.sender, ctx.now)
    return { attempt, failures: await beginAttempt(tx, attempt, ctx.now) }
  })
  const isRight = await isPassword(password, account.passwordHash)
  await ctx.transaction((tx) =>
    isRight
      ? succeed(tx, attempt)
      : recordRefusal(tx, account.id, { at: ctx.now, failures, origin: ctx.origin }),
  )
  return isRight
}

const confirmsCode = (ctx: SessionContext, accountId: string, code: string): Promise<boolean> =>
  ctx.transaction(async (tx) => {
    const account = await getAccountForUpdate(tx, accountId)
    const { factor, failures } = await tryCode(tx, account, code, ctx)
    if (!factor) await recordRefusal(tx, accountId, { at: ctx.now, failures, origin: ctx.origin })
    return factor !== undefined
  })
