import { DAY_MS, later } from '../../../../core/clock.ts'
import { refuse } from '../../../../core/errors.ts'
import { FRESH_MS, type SessionContext, type SignedIn } from '../../../../core/session.ts'
import type { Language } from '../../../../core/values/languages.ts'
import { getAccount, listMembersOfAccount } from '../queries/accounts.ts'
import { listPasskeys } from '../queries/passkeys.ts'
import { ABSOLUTE_DAYS, IDLE_DAYS, isOpenSession, listSessions } from '../queries/sessions.ts'
import { findSecurity } from '../queries/settings.ts'

/** Returns the signed-in account and session. Refuses `session_ended` if the account no longer exists. */
export const requireSignedIn = ({ signedIn }: SessionContext): SignedIn =>
  signedIn ?? refuse('session_ended', 'Sign in first.')

/**
 * Returns the data that the dashboard starts with. Uses the account's first workspace if the request names
 * none.
 */
export function readSession(ctx: SessionContext) {
  const { accountId, strong, confirmedAt, membership } = requireSignedIn(ctx)
  return ctx.transaction(async (tx) => {
    const account = await getAccount(tx, accountId)
    const [members, passkeys] = await Promise.all([
      listMembersOfAccount(tx, accountId),
      listPasskeys(tx, accountId),
    ])
    const workspaces = await Promise.all(members.map(({ workspaceId }) => ctx.workspace(workspaceId)))
    const rows = members.flatMap((member, i) => (workspaces[i] ? [{ member, workspace: workspaces[i] }] : []))
    const current = rows.find(({ workspace }) => !membership || workspace.id === membership.workspace.id)
    const security = current && (await findSecurity(tx, current.workspace.id))
    return {
      account: {
        id: account.id,
        name: account.name,
        email: account.email,
        language: account.language as Language | null,
        hasPassword: account.passwordHash !== null,
        hasTotp: account.totpSealed !== null,
        recoveryCodesLeft: account.recoveryHashes.length,
        passkeys: passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
          id,
          name,
          createdAt: createdAt.toISOString(),
          lastUsedAt: lastUsedAt?.toISOString() ?? null,
        })),
      },
      member: current ? { ...current.member, id: current.member.memberId } : null,
      workspace: current?.workspace ?? null,
      workspaces: rows.map(({ member, workspace: { id, name, sandbox } }) => ({
        id,
        name,
        sandbox,
        role: member.role,
      })),
      freshUntil: later(confirmedAt, FRESH_MS).toISOString(),
      secondFactorRequired: (security?.requireSecondFactor ?? false) && !strong,
    }
  })
}

/** Returns whether a session is open, for work that continues without a request. */
export const isSessionOpen = isOpenSession

/** Returns the account's sessions, last used first. */
export async function readSessions(ctx: SessionContext) {
  const { accountId, sessionId } = requireSignedIn(ctx)
  const bounds = { since: later(ctx.now, -IDLE_DAYS * DAY_MS), from: later(ctx.now, -ABSOLUTE_DAYS * DAY_MS) }
  const sessions = await ctx.transaction((tx) => listSessions(tx, accountId, bounds))
  return sessions.map(({ lastSeenAt, createdAt, ...session }) => ({
    ...session,
    current: session.id === sessionId,
    lastSeenAt: lastSeenAt.toISOString(),
    createdAt: createdAt.toISOString(),
  }))
}
