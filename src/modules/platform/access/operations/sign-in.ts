/** Signs in with a password, and with a second step if the account has a second factor. */

import { later, MINUTE_MS } from '../../../../core/clock.ts'
import type { Tx } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { hashToken, type NewSession, newToken, type SessionContext } from '../../../../core/session.ts'
import { sameSecret } from '../../../../core/values/api-key.ts'
import { type AccountRow, findAccountByEmail, findAccountForUpdate } from '../queries/accounts.ts'
import { findToken, insertToken, takeToken } from '../queries/tokens.ts'
import { hasFactor } from './own-account.ts'
import { isPassword } from './password-hash.ts'
import { recordRefusal } from './record-access.ts'
import { refuseIfProviderOnly } from './refuse-if-provider-only.ts'
import { tryCode } from './second-factor.ts'
import { beginAttempt, countAtAddress, passwordAttempt, succeed } from './sign-in-limits.ts'
import { replaceSession, type SignInMethod } from './start-session.ts'

/** The second step of a sign-in: a code of the app, or a passkey if the account has no app. */
export type NextStep = 'totp' | 'passkey'

/**
 * A session; or a ticket for the second step; or a workspace joined by the account that is already signed in;
 * or a confirmed email.
 */
export type SignInOutcome =
  | { session: NewSession }
  | { next: NextStep; ticket: string }
  | { joined: true }
  | { confirmed: true }

const TICKET_MS = 10 * MINUTE_MS
const WRONG = 'Wrong email or password.'

/**
 * Signs in with a password. Refuses `sign_in_refused` with the same answer for a wrong password and an
 * unknown email, and `rate_limited`.
 */
export async function signInByPassword(
  ctx: SessionContext,
  { email, password }: { email: string; password: string },
): Promise<SignInOutcome> {
  refuseIfProviderOnly(ctx)
  const { attempt, account, failures } = await ctx.transaction(async (tx) => {
    const attempt = await passwordAttempt(tx, email, ctx.sender)
    await countAtAddress(tx, ctx.sender, ctx.now)
    const failures = await beginAttempt(tx, attempt, ctx.now)
    return { attempt, failures, account: await findAccountByEmail(tx, email) }
  })
  const isRight = await isPassword(password, account?.passwordHash ?? null)
  if (!account || !isRight) {
    const refused = { at: ctx.now, failures, origin: ctx.origin }
    if (account) await ctx.transaction((tx) => recordRefusal(tx, account.id, refused))
    return refuse('sign_in_refused', WRONG)
  }
  return ctx.transaction(async (tx) => {
    const current = await findAccountForUpdate(tx, account.id)
    // The password was changed during the check.
    if (!current || !sameSecret(current.passwordHash ?? '', account.passwordHash ?? ''))
      return refuse('sign_in_refused', WRONG)
    await succeed(tx, attempt)
    return enter(tx, ctx, current, 'password')
  })
}

/** The methods that prove only one of two factors: the password, or access to the mailbox. */
const NEEDS_FACTOR: readonly SignInMethod[] = ['password', 'reset']

async function nextStep(tx: Tx, account: AccountRow, method: SignInMethod): Promise<NextStep | undefined> {
  if (!NEEDS_FACTOR.includes(method)) return undefined
  if (account.totpSealed) return 'totp'
  return (await hasFactor(tx, account)) ? 'passkey' : undefined
}

/**
 * Starts a session that replaces the browser's current one. An account with a second factor gets a ticket for
 * that step first.
 */
export async function enter(
  tx: Tx,
  ctx: SessionContext,
  account: AccountRow,
  method: SignInMethod,
): Promise<SignInOutcome> {
  const { now, origin } = ctx
  const next = await nextStep(tx, account, method)
  if (next) {
    const ticket = newToken()
    await insertToken(tx, {
      hash: hashToken(ticket),
      purpose: 'totp',
      accountId: account.id,
      expiresAt: later(now, TICKET_MS),
      createdAt: now,
    })
    return { next, ticket }
  }
  const current = ctx.signedIn && { id: ctx.signedIn.sessionId, accountId: ctx.signedIn.accountId }
  return { session: await replaceSession(tx, current, { accountId: account.id, method, origin, now }) }
}

/** Finishes a sign-in with a code of the app or a recovery code. */
export async function signInByCode(
  ctx: SessionContext,
  { ticket, code }: { ticket: string; code: string },
): Promise<{ session: NewSession }> {
  const outcome = await ctx.transaction(async (tx) => {
    const found = await findToken(tx, 'totp', hashToken(ticket), ctx.now)
    const account = found?.accountId ? await findAccountForUpdate(tx, found.accountId) : undefined
    if (!account) return refuse('sign_in_refused', 'This took too long. Start again.')
    const { factor, failures } = await tryCode(tx, account, code, ctx)
    if (!factor) {
      await recordRefusal(tx, account.id, { at: ctx.now, failures, origin: ctx.origin })
      return undefined
    }
    await takeToken(tx, 'totp', hashToken(ticket), ctx.now)
    return enter(tx, ctx, account, factor)
  })
  // Outside the transaction, so that the failure stays counted.
  if (!outcome || !('session' in outcome))
    return refuse(
      'sign_in_refused',
      'Wrong code. Enter the code that your app shows now, or a recovery code.',
    )
  return outcome
}
