/**
 * Caches sessions and memberships for requests with a session cookie, like the directory of workspaces. The
 * database announces changes; while that connection is down, entries live at most one second.
 */

import { type Clock, DAY_MS, later, MINUTE_MS } from '../../../core/clock.ts'
import type { Query } from '../../../core/context.ts'
import { hashToken, type NewSession, newToken } from '../../../core/session.ts'
import { sameHash } from '../../../core/values/api-key.ts'
import { rememberLookups } from '../workspaces/remembered.ts'
import { PREVIOUS_TOKEN_MS } from './operations/start-session.ts'
import {
  findMembership,
  findSessionByHash,
  type MembershipRecord,
  replaceToken,
  type SessionRecord,
  touchSession,
} from './queries/sessions.ts'

export type { SessionRecord } from './queries/sessions.ts'

export type SessionDirectory = {
  /** Returns whether the session of a token's hash is cached. */
  knows(hash: Buffer): boolean
  /** Returns the session of a token's hash, even if it has ended. */
  session(hash: Buffer): Promise<SessionRecord | undefined>
  membership(accountId: string, workspaceId: string): Promise<MembershipRecord | undefined>
  /** Records that a session was used. */
  touch(session: SessionRecord): Promise<void>
  /**
   * Replaces a token that is a day old. Returns undefined if it is younger or another request replaced it.
   */
  rotate(session: SessionRecord, tokenHash: Buffer): Promise<NewSession | undefined>
  /** Drops the cached sessions of an account, or of all accounts without an id. */
  forgetAccount(accountId?: string): void
  /** Drops the cached memberships of a workspace, or of all workspaces without an id. */
  forgetWorkspace(workspaceId?: string): void
  /** Sets whether this process receives announcements of changes now. */
  setListening(listening: boolean): void
}

const FRESH_MS = 60_000
const FRESH_WITHOUT_NEWS_MS = 1_000
const ROTATION_MS = DAY_MS
/** The precision of the last use of a session. */
const TOUCH_MS = MINUTE_MS

/** Returns the latest end of a session. */
const lastMomentOf = (session: SessionRecord): Date => later(session.createdAt, session.absoluteDays * DAY_MS)

/** Returns why a session found by this token has ended; undefined if it is live. */
export function endOf(session: SessionRecord, tokenHash: Buffer, now: Date): string | undefined {
  if (session.endedAt) return session.endedBecause ?? 'it was ended.'
  const isCurrent = sameHash(session.tokenHash, tokenHash)
  if (!isCurrent && !(session.previousUntil && session.previousUntil > now)) return 'its token was replaced.'
  if (later(session.lastSeenAt, session.idleDays * DAY_MS) <= now)
    return `you didn't use it for ${session.idleDays} days.`
  if (lastMomentOf(session) <= now) return `you signed in ${session.absoluteDays} days ago.`
  return undefined
}

/** Creates the directory over `query`, which runs as the platform. */
export function createSessionDirectory(query: Query, clock: Clock): SessionDirectory {
  let listening = false
  const freshMs = () => (listening ? FRESH_MS : FRESH_WITHOUT_NEWS_MS)
  const sessions = rememberLookups<SessionRecord | undefined>(
    clock,
    freshMs,
    (_, record) => record?.accountId,
  )
  const memberships = rememberLookups<MembershipRecord | undefined>(
    clock,
    freshMs,
    (_, record) => record?.workspaceId,
  )
  return {
    knows: (hash) => sessions.has(hash.toString('base64')),
    session: (hash) => sessions.get(hash.toString('base64'), () => findSessionByHash(query, hash)),
    membership: (accountId, workspaceId) =>
      memberships.get(`${accountId} ${workspaceId}`, () => findMembership(query, accountId, workspaceId)),
    touch: async (session) => {
      const now = clock.now()
      if (later(session.lastSeenAt, TOUCH_MS) > now) return
      session.lastSeenAt = now
      await touchSession(query, session.id, now)
    },
    rotate: async (session, tokenHash) => {
      const now = clock.now()
      if (later(session.issuedAt, ROTATION_MS) > now || !sameHash(session.tokenHash, tokenHash))
        return undefined
      const token = newToken()
      const previousUntil = later(now, PREVIOUS_TOKEN_MS)
      const change = { id: session.id, oldHash: tokenHash, newHash: hashToken(token), now, previousUntil }
      if (!(await replaceToken(query, change))) return undefined
      sessions.forget(session.accountId)
      return { token, expiresAt: lastMomentOf(session) }
    },
    forgetAccount: sessions.forget,
    forgetWorkspace: memberships.forget,
    setListening: (now) => {
      listening = now
    },
  }
}
