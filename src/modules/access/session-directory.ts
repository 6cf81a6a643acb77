/**
 * What every request by session needs to know, remembered in the process as the directory of workspaces is: the
 * database announces what changes, and while that line is down entries live for a second at most.
 */
import { sameHash } from '../../core/api-key.ts'
import { type Clock, DAY_MS, later, MINUTE_MS } from '../../core/clock.ts'
import type { Query } from '../../core/context.ts'
import { hashToken, type NewSession, newToken } from '../../core/session.ts'
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
  /** Whether the session of a token's hash need not be looked up now. */
  knows(hash: Buffer): boolean
  /** By a token's hash; ended ones too. */
  session(hash: Buffer): Promise<SessionRecord | undefined>
  membership(accountId: string, workspaceId: string): Promise<MembershipRecord | undefined>
  /** Notes that a session is used. */
  touch(session: SessionRecord): Promise<void>
  /** Replaces a token that is a day old; undefined when it is not, or when another request has replaced it. */
  rotate(session: SessionRecord, tokenHash: Buffer): Promise<NewSession | undefined>
  /** Drops what is remembered of an account; of all of them without an id. */
  forgetAccount(accountId?: string): void
  /** Drops what is remembered of who works in a workspace. */
  forgetWorkspace(workspaceId?: string): void
  /** Whether changes are being announced to this process just now. */
  setListening(listening: boolean): void
}

const FRESH_MS = 60_000
const FRESH_WITHOUT_NEWS_MS = 1_000
const ROTATION_MS = DAY_MS
/** When somebody was last seen is as exact as this. */
const TOUCH_MS = MINUTE_MS

/** When a session is over at the latest. */
const lastMomentOf = (session: SessionRecord): Date => later(session.createdAt, session.absoluteDays * DAY_MS)

/** Why a session that was found by this token is over; undefined while it lives. */
export function endOf(session: SessionRecord, tokenHash: Buffer, now: Date): string | undefined {
  if (session.endedAt) return session.endedBecause ?? 'it was ended.'
  const isCurrent = sameHash(session.tokenHash, tokenHash)
  if (!isCurrent && !(session.previousUntil && session.previousUntil > now)) return 'its token was replaced.'
  if (later(session.lastSeenAt, session.idleDays * DAY_MS) <= now)
    return `you didn't use it for ${session.idleDays} days.`
  if (lastMomentOf(session) <= now) return `you signed in ${session.absoluteDays} days ago.`
  return undefined
}

/** Opens the directory over `query`, which runs as the platform. */
export function createSessionDirectory(query: Query, clock: Clock): SessionDirectory {
  let listening = false
  const freshMs = () => (listening ? FRESH_MS : FRESH_WITHOUT_NEWS_MS)
  const sessions = rememberLookups<SessionRecord | undefined>(clock, freshMs, (_, found) => found?.accountId)
  const memberships = rememberLookups<MembershipRecord | undefined>(
    clock,
    freshMs,
    (_, found) => found?.workspaceId,
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
