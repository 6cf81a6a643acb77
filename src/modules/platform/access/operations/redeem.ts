/** Redeems mailed or shared links: an invitation, a password reset, or the confirmation of an email. */
import { DAY_MS } from '../../../../core/clock.ts'
import type { Tx } from '../../../../core/context.ts'
import { invalid, refuse } from '../../../../core/errors.ts'
import { hashToken, type SessionContext } from '../../../../core/session.ts'
import {
  findAccount,
  findAccountByEmail,
  findAccountForUpdate,
  findMember,
  findMemberForUpdate,
  joinAccount,
  type MemberOfAccount,
  updateAccountRow,
} from '../queries/accounts.ts'
import { findInvitation, takeInvitation } from '../queries/invitations.ts'
import { deleteTokensOfAccount, findMailedToken, isRedeemable, takeToken } from '../queries/tokens.ts'
import { createAccount } from './accounts.ts'
import { confirmEmail } from './change-email.ts'
import { revokeOtherSessions } from './end-sessions.ts'
import { hashPassword } from './password-hash.ts'
import { requireGoodPassword } from './password-rules.ts'
import { recordAccess } from './record-access.ts'
import { shownToken } from './redeem-url.ts'
import { enter, type SignInOutcome } from './sign-in.ts'

export const INVITATION_MS = 7 * DAY_MS

type RedeemInput = { token: string; name?: string | undefined; password?: string | undefined }

/**
 * Returns the hash under which a token is stored. A mailed invitation is stored under the hash of its shown
 * link.
 */
async function findTokenHash(
  tx: Tx,
  token: string,
  now: Date,
): Promise<{ hash: Buffer; wasMailed: boolean }> {
  const shownHash = hashToken(shownToken(token))
  return (await findInvitation(tx, shownHash, now))
    ? { hash: shownHash, wasMailed: true }
    : { hash: hashToken(token), wasMailed: false }
}

/** Spends a token. Refuses `not_found` for a token that is unknown, spent, or expired. */
export async function redeem(ctx: SessionContext, input: RedeemInput): Promise<SignInOutcome> {
  const { hash, wasMailed } = await ctx.transaction((tx) => findTokenHash(tx, input.token, ctx.now))
  // Hashing is expensive, so only a redeemable token causes it.
  if (!(await ctx.transaction((tx) => isRedeemable(tx, hash, ctx.now)))) return refuseToken()
  const passwordHash = input.password === undefined ? undefined : await hashPassword(input.password)
  return ctx.transaction(async (tx) => {
    const invitation = await findInvitation(tx, hash, ctx.now)
    if (invitation) {
      // Every operation locks the member before the invitation, to avoid deadlocks.
      const member = await findMemberForUpdate(tx, invitation.memberId)
      const isTaken = (await takeInvitation(tx, hash, ctx.now)) !== undefined
      if (!isTaken || !member || member.leftAt || member.accountId) return refuseToken()
      return ctx.signedIn
        ? join(tx, ctx, member)
        : acceptAsNewAccount(tx, ctx, member, { ...input, passwordHash, wasMailed })
    }
    const email = await takeToken(tx, 'email', hash, ctx.now)
    if (email?.accountId && email.challenge !== null) {
      await confirmEmail(tx, email.accountId, email.challenge, ctx.now)
      return { confirmed: true }
    }
    const reset = await takeToken(tx, 'reset', hash, ctx.now)
    if (!reset?.accountId) return refuseToken()
    return setByReset(tx, ctx, reset.accountId, { ...input, passwordHash })
  })
}

/** Returns the purpose of a link, so that its page shows the right form. Does not spend the token. */
export async function readToken(ctx: SessionContext, token: string) {
  return ctx.transaction(async (tx) => {
    const { hash, wasMailed } = await findTokenHash(tx, token, ctx.now)
    const invitation = await findInvitation(tx, hash, ctx.now)
    if (invitation) {
      const member = await findMember(tx, invitation.memberId)
      const workspace = await ctx.workspace(invitation.workspaceId)
      if (!member || member.leftAt || member.accountId || !workspace) return refuseToken()
      const ownAccount = ctx.signedIn && (await findAccount(tx, ctx.signedIn.accountId))
      // The admin knows the shown link, so its answer must not reveal whether an account has the email.
      const isKnown = wasMailed && (await findAccountByEmail(tx, member.email)) !== undefined
      return {
        purpose: 'invitation' as const,
        workspace: workspace.name,
        workspaceId: invitation.workspaceId,
        name: ownAccount?.name ?? member.name,
        email: ownAccount?.email ?? member.email,
        account: ownAccount ? ('own' as const) : isKnown ? ('known' as const) : ('new' as const),
      }
    }
    const mailed = await findMailedToken(tx, hash, ctx.now)
    const account = mailed?.accountId ? await findAccount(tx, mailed.accountId) : undefined
    if (!mailed || !account) return refuseToken()
    const isEmail = mailed.purpose === 'email'
    return {
      purpose: isEmail ? ('email' as const) : ('reset' as const),
      workspace: null,
      workspaceId: null,
      name: account.name,
      email: isEmail ? mailed.challenge : account.email,
      account: 'own' as const,
    }
  })
}

const refuseToken = (): never =>
  refuse('not_found', 'This link was already used or has expired. Ask for a new one.')

const refuseMissing = (field: string): never => {
  throw invalid([{ path: field, message: 'Required.' }])
}

/** Adds the signed-in account to the workspace. An account with the invitation's email plays no part. */
async function join(tx: Tx, ctx: SessionContext, member: MemberOfAccount): Promise<SignInOutcome> {
  const { accountId } = ctx.signedIn!
  // Locked so that, of two concurrent invitations, the second finds the membership of the first.
  await findAccountForUpdate(tx, accountId)
  if (!(await joinAccount(tx, member.memberId, accountId)))
    refuse(
      'conflict',
      'Your account is already a member of this workspace. To accept with another account, sign out first.',
    )
  return { joined: true }
}

type AccountInput = RedeemInput & { passwordHash: string | undefined }

/**
 * Creates an account. An invitation never signs in to an existing account with the same email: the person
 * must sign in first.
 */
async function acceptAsNewAccount(
  tx: Tx,
  ctx: SessionContext,
  member: MemberOfAccount,
  { name = member.name, password, passwordHash, wasMailed }: AccountInput & { wasMailed: boolean },
): Promise<SignInOutcome> {
  const { identityProvider } = ctx.outside
  if (identityProvider?.only)
    refuse('conflict', `Sign in with ${identityProvider.label}. You then join the workspace.`)
  if (password === undefined || passwordHash === undefined) return refuseMissing('password')
  requireGoodPassword(password, [member.email, name])
  const { accountId, emailTaken } = await createAccount(
    tx,
    { email: member.email, name, passwordHash, emailProven: wasMailed || !ctx.outside.mailer },
    ctx.now,
  )
  if (emailTaken)
    refuse(
      'conflict',
      'An account with this email already exists. Sign in to it, then open the invitation again.',
    )
  await joinAccount(tx, member.memberId, accountId)
  const account = await findAccountForUpdate(tx, accountId)
  return enter(tx, ctx, account!, 'invitation')
}

/** Sets a new password and ends every session. A second factor stays and is required for the next session. */
async function setByReset(
  tx: Tx,
  ctx: SessionContext,
  accountId: string,
  { password, passwordHash }: AccountInput,
): Promise<SignInOutcome> {
  if (password === undefined || passwordHash === undefined) return refuseMissing('password')
  const account = await findAccountForUpdate(tx, accountId)
  if (!account) return refuseToken()
  requireGoodPassword(password, [account.email, account.name])
  await updateAccountRow(tx, accountId, { passwordHash, emailProven: true })
  await deleteTokensOfAccount(tx, accountId, ['reset', 'totp', 'email'])
  await revokeOtherSessions(tx, { accountId }, { now: ctx.now, because: 'your password was changed.' })
  await recordAccess(tx, accountId, ctx.now, 'password reset by email')
  return enter(tx, ctx, { ...account, passwordHash }, 'reset')
}
