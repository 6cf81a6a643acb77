/**
 * The signed-in account and member of a dashboard request (src/modules/platform/access/DECISIONS.md "Accounts
 * and sessions").
 */
import { randomBytes } from 'node:crypto'
import { MINUTE_MS } from './clock.ts'
import type { MemberActor, Outside, Tx, Workspace } from './context.ts'
import type { Sealer } from './sealing.ts'
import { sha256 } from './values/digest.ts'

/** A session as the browser receives it; only the hash of its token is stored. */
export type NewSession = { token: string; expiresAt: Date }

/** The origin of a request, as the activity log and the list of sessions show it. */
export type RequestOrigin = { address: string; device: string }

/** The workspace that a request names, and the caller's membership there. */
export type Membership = { workspace: Workspace; actor: MemberActor }

export type SignedIn = {
  sessionId: string
  accountId: string
  confirmedAt: Date
  /** Whether they passed a second factor. */
  strong: boolean
  /** Null when the request names no workspace. */
  membership: Membership | null
}

/** A request about an account. `now` is real time. */
export type SessionContext = {
  /** Null on endpoints that need no sign-in, if the caller has no session. */
  signedIn: SignedIn | null
  origin: RequestOrigin
  /** The address for which failures are counted; in IPv6, its network. */
  sender: string
  now: Date
  siteUrl: string
  sealer: Sealer
  outside: Outside
  /** Runs as the platform; only for tables of the caller's own module. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  workspace(id: string): Promise<Workspace | undefined>
  /** Lets work continue after the reply; its failure is logged. */
  afterwards(work: Promise<unknown>): void
}

/** How long after a sign-in or a confirmation the endpoints marked `fresh` stay open. */
export const FRESH_MS = 10 * MINUTE_MS
export const NOT_CONFIRMED = "Confirm that it's you. You last signed in more than 10 minutes ago."

const TOKEN_BYTES = 32

/** Returns a bearer token of 32 random bytes. */
export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url')

/** Returns the hash to store for a token. */
export const hashToken = (token: string): Buffer => sha256(token)
