/** Checks how long a member may listen to a workspace. */
import type { FastifyRequest } from 'fastify'
import { hashToken } from '../../core/session.ts'
import { endOf } from '../../modules/platform/access/session-directory.ts'
import type { SessionOptions } from '../auth/session-authentication.ts'

/**
 * Returns whether an admitted member may still listen. Doesn't renew the session, because the response
 * headers were already sent.
 */
export async function mayStayOnStream(
  { site, sessions, clock }: Pick<SessionOptions, 'site' | 'sessions' | 'clock'>,
  { headers }: FastifyRequest,
  workspaceId: string,
): Promise<boolean> {
  const token = site.tokenIn(headers.cookie)
  if (!token) return false
  const hash = hashToken(token)
  const session = await sessions.session(hash)
  if (!session || endOf(session, hash, clock.now()) !== undefined) return false
  const member = await sessions.membership(session.accountId, workspaceId)
  return member !== undefined && (session.strong || !member.requireSecondFactor)
}
