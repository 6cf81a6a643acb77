/**
 * Authenticates by session: a cookie identifies the account, the Parley-Workspace header the workspace
 * (src/modules/platform/access/DECISIONS.md "Accounts and sessions"). The member's role in that workspace
 * gives the rights.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Clock, later } from '../../core/clock.ts'
import { type MemberActor, roleReaches, type Workspace } from '../../core/context.ts'
import { type Endpoint, isWrite } from '../../core/endpoint.ts'
import { Refusal, refuse } from '../../core/errors.ts'
import { isUuid } from '../../core/ids.ts'
import { FRESH_MS, hashToken, NOT_CONFIRMED, type SignedIn } from '../../core/session.ts'
import {
  endOf,
  type SessionDirectory,
  type SessionRecord,
} from '../../modules/platform/access/session-directory.ts'
import type { Directory } from '../../modules/platform/workspaces/directory.ts'
import type { RefusedSenders } from '../rate-limit/refused-senders.ts'
import type { Site } from './site.ts'

export type SessionOptions = {
  site: Site
  sessions: SessionDirectory
  directory: Directory
  clock: Clock
  /** Counts senders of unknown sessions. */
  unknownSessions: RefusedSenders
}

const WORKSPACE_HEADER = 'parley-workspace'
/**
 * The account of the page: all tabs share the cookie, and another tab may have signed in to another account.
 */
const ACCOUNT_HEADER = 'parley-account'

/**
 * Returns whether a request uses a session. Dashboard endpoints accept only sessions; elsewhere, a key takes
 * precedence over a cookie.
 */
export function usesSession(value: Endpoint, { headers }: FastifyRequest, site: Site): boolean {
  if (value.auth === 'session') return true
  return (
    headers.authorization === undefined &&
    headers[WORKSPACE_HEADER] !== undefined &&
    site.tokenIn(headers.cookie) !== undefined
  )
}

async function membershipOf(
  { sessions, directory }: SessionOptions,
  session: SessionRecord,
  workspaceId: string,
): Promise<{ workspace: Workspace; actor: MemberActor; lacksFactor: boolean }> {
  const record = isUuid(workspaceId)
    ? await sessions.membership(session.accountId, workspaceId.toLowerCase())
    : undefined
  const workspace = record && (await directory.workspace(record.workspaceId))
  if (!workspace)
    return refuse(
      'not_a_member',
      "Your account isn't a member of this workspace. Ask an admin for an invitation.",
    )
  const { memberId, name, role, owner, requireSecondFactor } = record
  return {
    workspace,
    actor: {
      kind: 'member',
      memberId,
      sessionId: session.id,
      device: session.device,
      name,
      role,
      owner,
      strong: session.strong,
      confirmedAt: session.confirmedAt,
    },
    lacksFactor: requireSecondFactor && !session.strong,
  }
}

const noSession = (): Refusal => new Refusal('session_ended', 'Your session has ended. Sign in again.')

/** A session that was found, and the refusal if it doesn't meet a rule of the workspace. */
export type SessionEntry = { signedIn: SignedIn; refusal: Refusal | undefined }

/**
 * Finds the session of a request; undefined without one. Refuses, first, requests from other sites; then
 * ended sessions, a session of another account than the page's, and a workspace in which the account isn't a
 * member.
 */
export async function findSession(
  options: SessionOptions,
  value: Pick<Endpoint, 'method'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<SessionEntry | undefined> {
  const { site, sessions, clock } = options
  const { headers } = request
  site.requireOwn(headers, isWrite(value))
  const token = site.tokenIn(headers.cookie)
  if (!token) return undefined
  const tokenHash = hashToken(token)
  // An unknown token is looked up only if the sender hasn't sent many of them.
  if (!sessions.knows(tokenHash)) options.unknownSessions.check(request)
  const session = await sessions.session(tokenHash)
  if (!session) throw options.unknownSessions.count(request) ?? noSession()
  const end = endOf(session, tokenHash, clock.now())
  if (end !== undefined) return refuse('session_ended', `Your session has ended: ${end}`)
  const account = headers[ACCOUNT_HEADER]
  if (account !== undefined && account !== session.accountId)
    return refuse('other_account', 'Someone signed in to another account in this browser. Reload the page.')
  await sessions.touch(session)
  const renewed = await sessions.rotate(session, tokenHash)
  if (renewed) reply.header('set-cookie', site.cookieOf(renewed, clock.now()))
  const { id: sessionId, accountId, confirmedAt, strong } = session
  const signedIn = { sessionId, accountId, confirmedAt, strong, membership: null }
  const workspaceId = headers[WORKSPACE_HEADER]
  if (typeof workspaceId !== 'string') return { signedIn, refusal: undefined }
  const { lacksFactor, ...membership } = await membershipOf(options, session, workspaceId)
  return {
    signedIn: { ...signedIn, membership },
    refusal: lacksFactor
      ? new Refusal(
          'second_factor_required',
          'This workspace requires a passkey or an authenticator code. Confirm with one of them.',
        )
      : undefined,
  }
}

/** Returns why the signed-in account may not use `value`; undefined if it may. */
export function rightsRefusal(
  value: Endpoint,
  { confirmedAt, membership }: SignedIn,
  now: Date,
): Refusal | undefined {
  const role = membership?.actor.role
  if (value.role !== 'viewer' && !membership)
    return new Refusal('not_a_member', "Send the workspace's id in the header Parley-Workspace.")
  if (value.role && role && !roleReaches(role, value.role))
    return new Refusal(
      'forbidden',
      `This requires the role ${value.role}, and yours is ${role}. Ask an admin.`,
      {
        required: value.role,
      },
    )
  if (value.fresh === true && later(confirmedAt, FRESH_MS) <= now)
    return new Refusal('not_confirmed', NOT_CONFIRMED)
  return undefined
}

/** Admits a member to `value`, a workspace endpoint, or refuses, like `admit` does for keys. */
export async function admitMember(
  options: SessionOptions,
  value: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  if (request.headers.authorization !== undefined)
    refuse('unauthorized', "API keys can't use this endpoint. Sign in to the dashboard.")
  reply.header('cache-control', 'no-store')
  const entry = await findSession(options, value, request, reply)
  if (!entry) return refuse('unauthorized', 'Sign in first.')
  const { membership } = entry.signedIn
  if (!membership) return refuse('not_a_member', "Send the workspace's id in the header Parley-Workspace.")
  const refusal = entry.refusal ?? rightsRefusal(value, entry.signedIn, options.clock.now())
  return { caller: { ...membership, severalKeys: false, allowIps: null }, refusal }
}
