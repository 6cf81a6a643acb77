/**
 * Admits dashboard reads whose URL names the workspace: a browser that loads an image or a file sends none of
 * our headers.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Workspace } from '../../core/context.ts'
import { Refusal, refuse } from '../../core/errors.ts'
import { findSession, type SessionOptions } from './session-authentication.ts'

/** Admits a member of any role to the workspace in `?workspace=ID`. */
export async function admitByAddress(
  options: SessionOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<{ workspace: Workspace; memberId: string }> {
  if (request.headers.authorization !== undefined)
    refuse('unauthorized', "API keys can't use this endpoint. Sign in to the dashboard.")
  const { workspace } = request.query as { workspace?: unknown }
  if (typeof workspace === 'string') request.headers['parley-workspace'] = workspace
  const entry = await findSession(options, { method: 'GET' }, request, reply)
  if (!entry) return refuse('unauthorized', 'Sign in first.')
  if (entry.refusal) throw entry.refusal
  const { membership } = entry.signedIn
  if (!membership) throw new Refusal('not_a_member', 'Name the workspace in the address: ?workspace=ID.')
  return { workspace: membership.workspace, memberId: membership.actor.memberId }
}
