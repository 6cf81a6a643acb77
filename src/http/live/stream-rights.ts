/** Who may listen to a workspace: every member of it, by their session, for as long as they may. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal, refuse } from '../../core/errors.ts'
import { hashToken } from '../../core/session.ts'
import { endOf } from '../../modules/access/session-directory.ts'
import { findSession, type SessionOptions } from '../session-authentication.ts'

/** Lets a member in like any read of the dashboard. */
export async function admitToStream(
  options: SessionOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<{ workspaceId: string; memberId: string }> {
  if (request.headers.authorization !== undefined)
    refuse('unauthorized', 'This takes the session of the dashboard, no API key.')
  const entry = await findSession(options, { method: 'GET' }, request, reply)
  if (!entry) return refuse('unauthorized', 'Sign in first.')
  if (entry.refusal) throw entry.refusal
  const { membership } = entry.signedIn
  if (!membership) throw new Refusal('not_a_member', 'Name the workspace in the address: ?workspace=ID.')
  return { workspaceId: membership.workspace.id, memberId: membership.actor.memberId }
}

/** Whether they still may: nothing is renewed, since the answer's head is long out. */
export async function mayStayOnStream(
  { site, sessions, clock }: SessionOptions,
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
