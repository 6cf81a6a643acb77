/** What a person changes of their own account, and how they show again who they are. */
import { invalid, refuse } from '../../../core/errors.ts'
import type { NewSession, SessionContext } from '../../../core/session.ts'
import {
  type AccountRow,
  findAccount,
  findAccountByEmail,
  findAccountForUpdate,
  listMembersOfAccount,
  updateAccountRow,
} from '../queries/accounts.ts'
import { deleteTokensOfAccount } from '../queries/tokens.ts'
import { revokeOtherSessions } from './end-sessions.ts'
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
}

const gone = (): never => refuse('session_ended', 'The account is gone.')

/**
 * Changes name, e-mail or password. An e-mail must be that of one of the account's members, where an admin wrote it, and
 * nobody else's to sign in by. A new password ends every other session, and gives this one a new token.
 */
export async function changeAccount(
  ctx: SessionContext,
  patch: AccountPatch,
): Promise<NewSession | undefined> {
  const { accountId, sessionId, strong } = requireSignedIn(ctx)
  const { name, email, password } = patch
  const before = (await ctx.transaction((tx) => findAccount(tx, accountId))) ?? gone()
  if (password !== undefined) requireGoodPassword(password, [email ?? before.email, name ?? before.name])
  const passwordHash = password === undefined ? undefined : await hashPassword(password)
  return ctx.transaction(async (tx) => {
    const account = (await findAccountForUpdate(tx, accountId)) ?? gone()
    if (email !== undefined && email.toLowerCase() !== account.email?.toLowerCase()) {
      const members = await listMembersOfAccount(tx, accountId)
      if (!members.some((member) => member.email.toLowerCase() === email.toLowerCase()))
        throw invalid([
          { path: 'email', message: 'must be the e-mail that one of your workspaces has of you' },
        ])
      if (await findAccountByEmail(tx, email)) refuse('conflict', `Another account signs in by ${email}.`)
    }
    await updateAccountRow(tx, accountId, {
      name: name ?? account.name,
      email: email ?? account.email,
      passwordHash: passwordHash ?? account.passwordHash,
    })
    if (email !== undefined) await recordAccess(tx, accountId, ctx.now, 'e-mail changed')
    if (passwordHash === undefined) return undefined
    const because = 'the password was changed.'
    await deleteTokensOfAccount(tx, accountId, ['reset', 'totp'])
    await revokeOtherSessions(tx, { accountId, except: sessionId }, { now: ctx.now, because })
    await recordAccess(tx, accountId, ctx.now, 'password changed')
    return renewSession(tx, sessionId, { now: ctx.now, strong })
  })
}

export type Confirmation = { password: string } | { code: string } | { ticket: string; response: unknown }

const WRONG = 'This does not show that it is you.'

/** Shows again who is there; what asks for it is open for ten minutes. The session gets a new token. */
export async function confirm(ctx: SessionContext, given: Confirmation): Promise<NewSession> {
  const { accountId, sessionId } = requireSignedIn(ctx)
  const isStrong = 'code' in given || 'response' in given
  if ('response' in given) await confirmByPasskey(ctx, given)
  else {
    const account = (await ctx.transaction((tx) => findAccount(tx, accountId))) ?? gone()
    const isRight =
      'password' in given
        ? await confirmsPassword(ctx, account, given.password)
        : await confirmsCode(ctx, accountId, given.code)
    if (!isRight) refuse('sign_in_refused', WRONG)
  }
  return ctx.transaction((tx) => renewSession(tx, sessionId, { now: ctx.now, strong: isStrong }))
}

/** Wrong ones count as failed sign-ins: whoever took a cookie cannot try passwords by it. */
async function confirmsPassword(
  ctx: SessionContext,
  account: AccountRow,
  password: string,
): Promise<boolean> {
  const attempt = passwordAttempt(account.email ?? account.id, ctx.sender)
  const failures = await ctx.transaction(async (tx) => {
    await countAtAddress(tx, ctx.sender, ctx.now)
    return beginAttempt(tx, attempt, ctx.now)
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
    const account = (await findAccountForUpdate(tx, accountId)) ?? gone()
    const { factor, failures } = await tryCode(tx, account, code, ctx)
    if (!factor) await recordRefusal(tx, accountId, { at: ctx.now, failures, origin: ctx.origin })
    return factor !== undefined
  })
