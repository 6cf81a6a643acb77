import type { Clock } from '../core/clock.ts'
import { hashToken } from '../core/session.ts'
import { endOf, type SessionDirectory } from '../modules/platform/access/session-directory.ts'

/** Returns the live session with this token; null without one. */
export async function findLiveSession(
  { sessions, clock }: { sessions: SessionDirectory; clock: Clock },
  token: string | undefined,
): Promise<{ id: string; accountId: string } | null> {
  if (token === undefined) return null
  const tokenHash = hashToken(token)
  const session = await sessions.session(tokenHash)
  if (!session || endOf(session, tokenHash, clock.now()) !== undefined) return null
  return { id: session.id, accountId: session.accountId }
}
