/**
 * Sign-in links of the CLI, which sign a member in without a password (DECISIONS.md "Accounts and sessions").
 */
import { later, MINUTE_MS } from '../../../../core/clock.ts'
import type { Tx } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { hashToken, type NewSession, newToken, type RequestOrigin } from '../../../../core/session.ts'
import { isSameEmail } from '../../../../database/sql/email-key.ts'
import { findAccount, findMemberForUpdate, joinAccount, type MemberOfAccount } from '../queries/accounts.ts'
import { insertToken, takeToken } from '../queries/tokens.ts'
import { createAccount } from './accounts.ts'
import { replaceSession } from './start-session.ts'

const LINK_MS = 15 * MINUTE_MS

/**
 * Creates a token that signs the member in once within 15 minutes. Refuses `not_found` for an unknown member
 * or one who left.
 */
export async function createSignInLink(tx: Tx, memberId: string, now: Date): Promise<string> {
  const member = await findMemberForUpdate(tx, memberId)
  if (!member || member.leftAt) refuse('not_found', `Member ${memberId} not found. See "parley member list".`)
  const token = newToken()
  await insertToken(tx, {
    hash: hashToken(token),
    purpose: 'link',
    memberId,
    expiresAt: later(now, LINK_MS),
    createdAt: now,
  })
  return token
}

/** Returns the path of a sign-in link. */
export const signInPath = (token: string): string => `/sign-in/${token}`

export type LinkOpening = {
  token: string
  origin: RequestOrigin
  now: Date
  /** The live session of the browser that opens the link. */
  current: { id: string; accountId: string } | null
}

/**
 * Spends a link and starts a session. Returns undefined if the link is unknown, spent, or expired, or if its
 * member has left.
 */
export async function openSignInLink(
  tx: Tx,
  { token, origin, now, current }: LinkOpening,
): Promise<(NewSession & { workspaceId: string }) | undefined> {
  const link = await takeToken(tx, 'link', hashToken(token), now)
  const member = link?.memberId ? await findMemberForUpdate(tx, link.memberId) : undefined
  if (!member || member.leftAt) return undefined
  const accountId =
    member.accountId ?? (await accountFor(tx, member, { now, accountId: current?.accountId ?? null }))
  const session = await replaceSession(tx, current, { accountId, method: 'link', origin, now })
  return { ...session, workspaceId: member.workspaceId }
}

/**
 * Returns an account for a member without one: the signed-in caller's, if it has the member's email, else a
 * new account. A caller who is not signed in never gets an existing account, because an admin of any
 * workspace can write any email there.
 */
async function accountFor(
  tx: Tx,
  member: MemberOfAccount,
  { now, accountId }: { now: Date; accountId: string | null },
): Promise<string> {
  const current = accountId === null ? undefined : await findAccount(tx, accountId)
  const isSame = current?.email && (await isSameEmail(tx, current.email, member.email))
  if (current && isSame && (await joinAccount(tx, member.memberId, current.id))) return current.id
  const created = await createAccount(tx, { email: member.email, name: member.name }, now)
  await joinAccount(tx, member.memberId, created.accountId)
  return created.accountId
}
