import { DAY_MS, later, MINUTE_MS } from '../../../../core/clock.ts'
import type { Tx } from '../../../../core/context.ts'
import { newId } from '../../../../core/ids.ts'
import { hashToken, type NewSession, newToken, type RequestOrigin } from '../../../../core/session.ts'
import { memberAuthor, recordBy } from '../../workspaces/operations/activity.ts'
import { listMembersOfAccount } from '../queries/accounts.ts'
import { ABSOLUTE_DAYS, confirmSession, endSessions, insertSession } from '../queries/sessions.ts'

export type SignInMethod =
  | 'link'
  | 'password'
  | 'totp'
  | 'recovery'
  | 'passkey'
  | 'invitation'
  | 'reset'
  | 'sso'

/** The methods that prove two factors, or the second factor. Identity providers have rules of their own for it. */
const STRONG: readonly SignInMethod[] = ['totp', 'recovery', 'passkey', 'sso']

/** The time for which the previous token is still accepted, for requests that are in flight. */
export const PREVIOUS_TOKEN_MS = MINUTE_MS

export type Entering = { accountId: string; method: SignInMethod; origin: RequestOrigin; now: Date }

/**
 * Signs an account in: creates a session and records it in the activity log of each of the account's
 * workspaces.
 */
export async function startSession(
  tx: Tx,
  { accountId, method, origin, now }: Entering,
): Promise<NewSession> {
  const token = newToken()
  await insertSession(tx, {
    id: newId(),
    accountId,
    tokenHash: hashToken(token),
    issuedAt: now,
    method,
    strong: STRONG.includes(method),
    confirmedAt: now,
    lastSeenAt: now,
    createdAt: now,
    ...origin,
  })
  for (const { memberId, workspaceId, name } of await listMembersOfAccount(tx, accountId))
    await recordBy(tx, { by: memberAuthor(memberId, name), workspaceId, at: now }, 'member.signed_in', {
      memberId,
      method,
      ...origin,
    })
  return { token, expiresAt: later(now, ABSOLUTE_DAYS * DAY_MS) }
}

/** Signs an account in, and ends the session that the browser has had until then. */
export async function replaceSession(
  tx: Tx,
  current: { id: string; accountId: string } | null,
  entering: Entering,
): Promise<NewSession> {
  if (current) await endSessions(tx, current, entering.now, 'you signed in again.')
  return startSession(tx, entering)
}

/** Gives a session a new token after its person confirmed who they are. */
export async function renewSession(
  tx: Tx,
  sessionId: string,
  { now, strong }: { now: Date; strong: boolean },
): Promise<NewSession> {
  const token = newToken()
  await confirmSession(tx, sessionId, {
    tokenHash: hashToken(token),
    now,
    previousUntil: later(now, PREVIOUS_TOKEN_MS),
    strong,
  })
  return { token, expiresAt: later(now, ABSOLUTE_DAYS * DAY_MS) }
}
